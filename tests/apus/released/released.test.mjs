/**
 * The plugin in the released host, from the installation to the draft in the inbox.
 *
 * That release ignores providerRuntime, audiences and tools flushes: those are tested against the double.
 */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";

import { isAlive, pluginFolder, ReleasedHost, until } from "./host.mjs";
import { Model } from "./model.mjs";

const TEA = { type: "user", scope: "global", title: "Drinks tea", content: "Green tea, no sugar." };
const DESK = { type: "user", scope: "global", title: "Stands at work", content: "Has a standing desk." };
const ENTRY = "plugins.entries.memory-inbox.config";

const host = new ReleasedHost();
const model = new Model(DESK);

before(async () => host.configure(await model.listen()));
after(async () => {
  await host.remove();
  model.close();
});

/** The newest process of the bridge. */
const bridge = () => /** @type {number} */ (host.bridges.at(-1));

/** Change the plugin's configuration while the host runs, which reloads it. @param {string} key @param {unknown} value */
async function reconfigure(key, value) {
  const count = host.bridges.length;
  await host.run("config", "set", `${ENTRY}.${key}`, JSON.stringify(value));
  await until("the plugin was reloaded", () => host.bridges.length > count);
}

test("the host installs the plugin from its folder, selects it for memory and takes its configuration", async () => {
  await host.run("plugins", "install", pluginFolder(), "--force", "--accept-capabilities");
  assert.equal(host.config.plugins.slots.memory, "memory-inbox");
  // The host's own memory plugin consolidates whoever has the slot, and its memory_search hides this one's.
  await host.run("config", "set", "plugins.entries.memory-core.enabled", "false");
  await host.run("config", "set", `${ENTRY}.store`, host.store);
  await host.run("config", "set", `${ENTRY}.command`, JSON.stringify(host.command));
  assert.match(await host.run("config", "validate"), /valid/i);
  assert.match(await host.run("plugins", "inspect", "memory-inbox"), /Status: (enabled|loaded)/);
});

test("no command of the host starts a bridge", () => {
  assert.deepEqual(host.bridges, []);
  assert.equal(existsSync(host.store), false);
});

test("the gateway starts one bridge, which touches no store before it is asked", async () => {
  await host.start();
  await until("the bridge was started", () => host.bridges.length === 1);
  assert.ok(isAlive(bridge()));
  assert.equal(existsSync(host.store), false);
});

test("a tool called over the gateway keeps a draft for the agent's owner", async () => {
  const answer = await host.invoke("memory_remember", TEA);
  assert.equal(answer.ok, true, JSON.stringify(answer));
  assert.equal(answer.result.details.status, "pending");
  const [draft, ...others] = host.records("pending");
  assert.deepEqual(others, []);
  assert.equal(draft.content, TEA.content);
  assert.equal(draft.provenance.recorded_by, "apus:main");
  assert.equal(draft.audience.agent_id, "main");
});

test("a turn that no audience is granted to finds nothing, and is told no more", async () => {
  host.inbox("approve", "drinks-tea");
  const answer = await host.invoke("memory_search", { query: "tea" });
  assert.equal(answer.ok, false);
  assert.doesNotMatch(JSON.stringify(answer), /sugar/);
});

test("what the model may not ask is refused", async () => {
  assert.equal((await host.invoke("memory_remember", { ...TEA, status: "canonical" })).ok, false);
  assert.equal((await host.invoke("memory_remember", { ...TEA, type: "secret" })).ok, false);
  assert.deepEqual(host.records("pending"), []);
});

test("an agent's turn keeps a memory, and its draft is in the inbox", async () => {
  const answer = await host.run("agent", "--agent", "main", "--message", "I have a standing desk now.", "--json");
  assert.match(answer, /Noted\./);
  assert.match(model.system, /memory_remember/);
  assert.match(JSON.stringify(model.answers), /Kept as stands-at-work/);
  const [draft, ...others] = host.records("pending");
  assert.deepEqual(others, []);
  assert.equal(draft.title, DESK.title);
  assert.equal(draft.content, DESK.content);
  assert.notEqual(draft.provenance.source_session_id, "");
});

test("a reload ends the old bridge and starts a new one", async () => {
  const old = bridge();
  await reconfigure("timeoutMs", 20_000);
  await until("the old bridge is gone", () => !isAlive(old));
  assert.equal((await host.invoke("memory_remember", { ...TEA, title: "After the reload", content: "Still here." })).ok, true);
  assert.equal(host.records("pending").length, 2);
});

test("a bridge that was killed is started again", async () => {
  const old = bridge();
  process.kill(old, "SIGKILL");
  await until("the bridge is gone", () => !isAlive(old));
  assert.equal((await host.invoke("memory_remember", { ...TEA, title: "After the kill", content: "Here again." })).ok, true);
  assert.notEqual(bridge(), old);
});

test("the operator can let the owner's turns search what was approved", async () => {
  await reconfigure("ownerReads", true);
  const answer = await host.invoke("memory_search", { query: "tea" });
  assert.match(answer.result.content[0].text, /Green tea/);
  const unapproved = await host.invoke("memory_search", { query: "standing desk" });
  assert.doesNotMatch(unapproved.result.content[0].text, /standing desk/);
});

test("that this host reads no memory by itself is said once", () => {
  assert.equal(host.log.match(/does not read memory through its provider/g)?.length, 1);
  assert.doesNotMatch(host.log, /sugar|standing desk|tool name conflict/);
});

test("the bridge ends with the gateway", async () => {
  await host.stop();
  await until("the bridge is gone", () => !isAlive(bridge()));
  assert.ok(host.bridges.every((pid) => !isAlive(pid)));
});
