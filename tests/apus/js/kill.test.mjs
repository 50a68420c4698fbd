/** The bridge is killed again and again under load: no wrong answer, nothing acknowledged is lost. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { Place } from "./places.mjs";
import { memory, OWNER, turn } from "./turns.mjs";

const KILLS = 50;
const WORDS = ["quarry", "harbour", "oyster", "ledger", "freeze"];

/** Return the bridges that are this process's children. */
function bridges() {
  return readdirSync("/proc").filter((pid) => {
    try {
      const parent = /^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];
      return parent === String(process.pid) && readlinkSync(`/proc/${pid}/exe`).includes("python");
    } catch {
      return false;
    }
  });
}

test(`${KILLS} kills under load`, { timeout: 600_000 }, async () => {
  const place = new Place();
  const host = place.host();
  for (const word of WORDS) {
    await host.call("memory_remember", memory({ title: `About the ${word}`, content: `All of the ${word} and no more.` }), turn(OWNER));
  }
  place.run("approve", ...place.pending().map((record) => record.id));

  let over = false;
  let answers = 0;
  const failed = new Map();
  /** @type {string[]} */
  const kept = [];
  /** @type {string[]} */
  const wrong = []; // what ends the test: anything but the bridge's being down
  const note = (/** @type {any} */ error) => {
    if (error.kind !== "unavailable") wrong.push(error.stack);
    failed.set(error.message, (failed.get(error.message) ?? 0) + 1);
  };
  const reader = async (/** @type {string} */ word) => {
    while (!over) {
      await host
        .with(async (handle) => {
          const { hits } = await handle.search({ query: word, maxResults: 1 });
          assert.match(hits[0]?.excerpt ?? "", RegExp(word));
          assert.ok(hits[0]);
          const found = await handle.get({ reference: hits[0].reference });
          assert.ok(found.status === "ok" && found.text.includes(word));
          answers += 1;
        })
        .catch(note);
    }
  };
  const writer = async (/** @type {number} */ who) => {
    for (let n = 0; !over; n += 1) {
      const text = `Writer ${who} was here for the ${n}. time, ${"abcdefghij"[n % 10]}${who}${n * 7919}.`;
      await host
        .call("memory_remember", memory({ title: `Note ${who * 100_003 + n * 7919}`, content: text, id: `w${who}-${n}` }), turn(OWNER))
        .then(({ details }) => details.outcome === "created" && kept.push(details.id))
        .catch((error) => (error.kind === "not_found" ? undefined : note(error)));
    }
  };
  const running = [...WORDS.map(reader), writer(1), writer(2)];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const goal = answers + 3;
    while (answers < goal && wrong.length === 0) await pause(5);
    for (const pid of bridges()) process.kill(Number(pid), "SIGKILL");
  }
  over = true;
  await Promise.all(running);
  assert.deepEqual(wrong, []);

  await host.with(async (handle) => assert.equal((await handle.health()).status, "ready"));
  await host.dispose();
  const held = new Set(place.pending().map((record) => record.id));
  assert.deepEqual(kept.filter((id) => !held.has(id)), []);
  place.run("doctor"); // throws for a store that is not sound
  place.remove();
});
