/**
 * What a host finds in a store: `node found.mjs STORE QUERY` prints each hit's id and whole text, an object a line.
 *
 * For tests in other languages that follow one memory through every door.
 */

import plugin from "../../../store/apus/plugin/index.mjs";
import { Host } from "./double.mjs";
import { COMMAND } from "./places.mjs";

const [store, query] = process.argv.slice(2);
const host = new Host(plugin, { command: [COMMAND], store }).register();
await host.with(async (handle) => {
  const { hits } = await handle.search({ query: String(query) });
  for (const { reference } of hits) {
    const found = await handle.get({ reference });
    if (found.status === "ok") console.log(JSON.stringify({ id: reference.id, text: found.text }));
  }
});
await host.dispose();
