/** The agents' tools, the words that models are told, and the exports, over a real store. */

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, test } from "node:test";

import { manifest } from "./double.mjs";
import { Place } from "./places.mjs";
import { memory, OWNER, TALK, turn } from "./turns.mjs";

/** @typedef {import("./double.mjs").Host} Host */

/** @type {Place} */
let place;
/** @type {Host} */
let host;

beforeEach(() => {
  place = new Place();
  host = place.host();
});

const leave = async () => {
  await host.dispose();
  place.remove();
};

test("what is remembered waits, says where it came from, and is found once approved", async () => {
  const { details } = await host.call("memory_remember", memory(), turn(OWNER));
  assert.equal(details.outcome, "created");
  const [draft] = place.pending();
  assert.equal(draft.id, details.id);
  assert.equal(draft.title, "Commits are small");
  assert.match(JSON.stringify(draft), /apus:main/);
  const before = await host.call("memory_search", { query: "commits small" }, turn(OWNER));
  assert.deepEqual(before.details.memories, []);
  place.run("approve", draft.id);
  const after = await host.call("memory_search", { query: "commits small" }, turn(OWNER));
  assert.match(after.text, /each stands by itself/);
  await leave();
});

test("writes of one flush are kept once, of another again", async () => {
  const flush = (/** @type {string} */ flushId) => turn(OWNER, { memoryFlush: { flushId } });
  const texts = [1, 2].map((n) => memory({ title: `Fact ${n}`, content: `The ${n === 1 ? "first quarry" : "second harbour"} is closed.` }));
  for (let retry = 0; retry < 3; retry += 1) {
    for (const text of texts) await host.call("memory_remember", text, flush("flush-1"));
  }
  assert.equal(place.pending().length, 2);
  await leave();
});

test("forgetting is a proposal: what was approved stays until an operator approves that too", async () => {
  await host.call("memory_remember", memory(), turn(OWNER));
  const [{ id }] = place.pending();
  place.run("approve", id);
  await host.call("memory_forget", { id }, turn(OWNER));
  assert.deepEqual(place.canonical().map((record) => record.id), [id]);
  assert.deepEqual(place.pending().map((record) => record.id), [id]);
  place.run("approve", id);
  assert.deepEqual(place.canonical(), []);
  place.run("restore", id);
  assert.deepEqual(place.canonical().map((record) => record.id), [id]);
  await leave();
});

test("a turn that may not is refused by an error, and nothing is written", async () => {
  const refused = { kind: "permission_denied" };
  const sandboxed = turn(OWNER, { sandboxed: true });
  const foreign = turn({ kind: "owner-private", agentId: "other" });
  for (const who of [sandboxed, foreign, turn(undefined, { memoryAudience: undefined })]) {
    for (const name of manifest.contracts.tools) {
      const params = name === "memory_remember" ? memory() : name === "memory_forget" ? { id: "a" } : { query: "a" };
      await assert.rejects(host.call(name, params, who), refused, `${name} ${JSON.stringify(who)}`);
    }
  }
  assert.deepEqual(place.pending(), []);
  await leave();
});

test("arguments that the schema does not allow are an error that names the field", async () => {
  await assert.rejects(host.call("memory_remember", memory({ type: "gossip" }), turn(OWNER)), {
    kind: "invalid_argument",
    message: /type/,
  });
  await leave();
});

test("an invocation that is not current any more writes nothing, or gets nothing", async () => {
  const stale = turn(OWNER, {
    assertInvocationCurrent() {
      throw new Error("stale");
    },
  });
  await assert.rejects(host.call("memory_remember", memory(), stale), { message: "stale" });
  assert.deepEqual(place.pending(), []);
  let asked = 0;
  const later = turn(OWNER, {
    assertInvocationCurrent() {
      if (++asked > 1) throw new Error("stale");
    },
  });
  await assert.rejects(host.call("memory_search", { query: "commits" }, later), { message: "stale" });
  await leave();
});

test("a conversation's memory is not another's, not even for its own tools", async () => {
  await host.call("memory_remember", memory({ content: "Oysters are off the menu." }), turn(TALK));
  place.run("approve", place.pending()[0].id);
  const found = await host.call("memory_search", { query: "oysters" }, turn(TALK));
  assert.equal(found.details.memories.length, 1);
  const other = { ...TALK, sessionId: "s-2" };
  const none = await host.call("memory_search", { query: "oysters" }, turn(/** @type {any} */ (other)));
  assert.deepEqual(none.details.memories, []);
  await leave();
});

test("on a host without audiences the owner's words are kept, others are not, and it is said once", async () => {
  const old = { agentId: "main", sessionKey: "agent:main:main", sessionId: "s-1", assertInvocationCurrent() {} };
  await host.call("memory_remember", memory(), { ...old, senderIsOwner: true });
  await assert.rejects(host.call("memory_remember", memory(), { ...old, senderIsOwner: false }), { kind: "permission_denied" });
  await assert.rejects(host.call("memory_search", { query: "a" }, { ...old, senderIsOwner: true }), { kind: "permission_denied" });
  host.register();
  await host.call("memory_remember", memory({ title: "Another", content: "Quarries close at noon." }), { ...old, senderIsOwner: true });
  assert.equal(host.logged.filter(({ message }) => message.includes("memory_remember")).length, 1);
  assert.equal(place.pending().length, 2);
  await host.dispose();
  host = place.host({ ownerReads: true });
  place.run("approve", ...place.pending().map((record) => record.id));
  const found = await host.call("memory_search", { query: "quarries noon" }, { ...old, senderIsOwner: true });
  assert.equal(found.details.memories.length, 1);
  await leave();
});

test("the flush plan names tools that there are, none of which both writes and reads", async () => {
  const plan = host.capability?.providerFlushPlanResolver({ nowMs: 0, contextWindowTokens: 200_000 });
  assert.ok(plan && plan.prompt && plan.systemPrompt && plan.persistenceToolNames.length > 0);
  const lookup = plan.lookupToolNames ?? [];
  assert.ok([...plan.persistenceToolNames, ...lookup].every((name) => manifest.contracts.tools.includes(name)));
  assert.ok(lookup.every((name) => !plan.persistenceToolNames.includes(name)));
  assert.match(plan.prompt, /NO_REPLY/);
  for (const name of plan.persistenceToolNames) assert.match(plan.prompt, RegExp(name));
  await leave();
});

test("the prompt speaks of the tools that a turn has, and of none that it has not", async () => {
  const build = host.capability?.promptBuilder;
  assert.ok(build);
  const all = new Set(manifest.contracts.tools);
  const text = build({ availableTools: all }).join("\n");
  for (const name of all) assert.match(text, RegExp(name));
  assert.doesNotMatch(build({ availableTools: new Set(["memory_search"]) }).join("\n"), /keep it with memory_remember/);
  assert.deepEqual(build({ availableTools: new Set() }), []);
  assert.deepEqual(build({ availableTools: all, sandboxed: true }), []);
  assert.deepEqual(host.capability?.recallToolNames, ["memory_search"]);
  await leave();
});

test("the exports of a configured folder are listed, and nothing without one", async () => {
  const exportDir = join(place.folder, "export");
  mkdirSync(exportDir);
  place.feed("Whole cents.", "record", "--type", "project", "--scope", "global", "--title", "Ledger");
  place.run("export", exportDir);
  const list = async (/** @type {Host} */ of) => (await of.capability?.publicArtifacts.listArtifacts({ cfg: {} })) ?? [];
  assert.deepEqual(await list(host), []);
  const showing = place.host({ exportDir });
  const artifacts = await list(showing);
  assert.ok(artifacts.length > 0);
  for (const { absolutePath, relativePath, contentType } of artifacts) {
    assert.equal(absolutePath, join(exportDir, relativePath));
    assert.ok(["markdown", "json", "text"].includes(contentType));
  }
  await showing.dispose();
  await leave();
});
