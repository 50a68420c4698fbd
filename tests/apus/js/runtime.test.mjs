/** The slot on a host that is strict about the contract, over a real store through the real bridge. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Asking, Revoked } from "./double.mjs";
import { Place } from "./places.mjs";
import { HOST, memory, OPERATOR, OWNER, session, OTHER_TALK, TALK, turn } from "./turns.mjs";

/** @typedef {import("./double.mjs").Host} Host */
/** @typedef {import("../../../store/apus/plugin/types.d.ts").Authority} Authority */

const place = new Place();
/** @type {Host} */
let host;

before(async () => {
  host = place.host();
  const owners = [
    memory(),
    memory({ title: "Deploys wait for Friday's freeze", content: "No deploys on Fridays.\n".repeat(40) }),
    memory({ title: "The ledger is kept in cents", type: "project", content: "Amounts are whole cents." }),
  ];
  for (const one of owners) await host.call("memory_remember", one, turn(OWNER));
  await host.call("memory_remember", memory({ title: "Talk of oysters", content: "Oysters are off the menu." }), turn(TALK));
  place.run("approve", ...place.pending().map((record) => record.id));
});

after(async () => {
  await host.dispose();
  place.remove();
});

test("an operator finds, gets and pages through what was approved", async () => {
  await host.with(async (handle) => {
    const { hits, coverage } = await handle.search({ query: "deploys freeze friday", maxResults: 2 });
    assert.equal(coverage, "complete");
    const [best] = hits;
    assert.ok(best && best.excerpt.length > 0 && best.source === "memory");
    const whole = await handle.get({ reference: best.reference });
    assert.ok(whole.status === "ok");
    assert.match(whole.text, /No deploys on Fridays/);
    const part = await handle.get({ reference: best.reference, from: 2, lines: 3 });
    assert.ok(part.status === "ok" && part.truncated && part.from === 2 && part.nextFrom === 5);
  });
});

test("pages follow each other by the cursor, and repeat nothing", async () => {
  await host.with(async (handle) => {
    /** @type {string[]} */
    const seen = [];
    let cursor;
    do {
      const found = await handle.search({ query: "the", maxResults: 1, ...(cursor && { cursor }) });
      seen.push(...found.hits.map((hit) => hit.reference.id));
      cursor = found.nextCursor;
    } while (cursor && seen.length < 20);
    assert.equal(new Set(seen).size, seen.length);
  });
});

test("a least score leaves out what is under it", async () => {
  await host.with(async (handle) => {
    const all = (await handle.search({ query: "deploys on fridays" })).hits;
    const best = Math.max(...all.map((hit) => hit.score ?? 0));
    assert.ok(best > 0);
    const some = (await handle.search({ query: "deploys on fridays", minScore: best })).hits;
    assert.deepEqual(some.map((hit) => hit.score), [best]);
    assert.deepEqual((await handle.search({ query: "deploys on fridays", minScore: best + 1 })).hits, []);
  });
});

test("a stale revision and an unknown id are not found, another provider's reference is refused", async () => {
  await host.with(async (handle) => {
    const { hits } = await handle.search({ query: "ledger cents" });
    assert.ok(hits[0]);
    const { reference } = hits[0];
    assert.ok(reference.revision);
    assert.deepEqual(await handle.get({ reference: { ...reference, revision: "0".repeat(64) } }), { status: "not_found" });
    assert.deepEqual(await handle.get({ reference: { ...reference, id: "nothing" } }), { status: "not_found" });
    await assert.rejects(handle.get({ reference: { ...reference, providerId: "other" } }), { kind: "permission_denied" });
  });
});

test("candidates come with what automatic recall needs to know", async () => {
  await host.with(async (handle) => {
    for (const kind of /** @type {const} */ (["trigger", "project"])) {
      const { hits } = await handle.candidates({ kind, limit: 2 });
      assert.ok(hits.every((hit) => typeof hit.automaticRecall?.eligible === "boolean"));
    }
    assert.ok((await handle.candidates({ kind: "trigger" })).hits.length > 0);
  });
});

test("what the capabilities do not offer is refused before anything is sent", async () => {
  const asking = new Asking(OPERATOR);
  await host.with(async (handle) => {
    const { asserted } = asking;
    const refused = { kind: "invalid_argument" };
    await assert.rejects(handle.search({ query: "a", sources: ["sessions"] }), refused);
    await assert.rejects(handle.candidates({ kind: /** @type {any} */ ("other") }), refused);
    await assert.rejects(handle.search(/** @type {any} */ (null)), refused);
    assert.equal(asking.asserted, asserted);
  }, asking);
});

/** @type {[string, Authority, string | null, string[]][]} */
const READERS = [
  ["an operator", OPERATOR, null, ["cents", "oysters"]],
  ["the owner's session", session(OWNER), null, ["cents", "oysters"]],
  ["the conversation", session(TALK), null, ["oysters"]],
  ["another conversation", session(OTHER_TALK), null, []],
  ["a session without an audience", session(), "permission_denied", []],
  ["a session of another agent's audience", session({ ...OWNER, agentId: "other" }), "permission_denied", []],
  ["a sandboxed session", session(OWNER, true), "permission_denied", []],
  ["the host", HOST, "permission_denied", []],
];
for (const [who, authority, refused, finds] of READERS) {
  test(`${who} reads what the contract says`, async () => {
    await host.with(async (handle) => {
      for (const word of ["cents", "oysters"]) {
        const searching = handle.search({ query: word });
        if (refused) await assert.rejects(searching, { kind: refused });
        else assert.equal((await searching).hits.some((hit) => hit.excerpt.toLowerCase().includes(word)), finds.includes(word), word);
      }
      assert.equal((await handle.health()).status, "ready");
    }, new Asking(authority));
  });
}

test("another agent's provider holds nothing of this one's", async () => {
  await host.with(async (handle) => {
    assert.deepEqual((await handle.search({ query: "cents oysters" })).hits, []);
  }, new Asking(OPERATOR), "other");
});

test("an authority revoked while the store is asked releases nothing", async () => {
  const asking = new Asking(OPERATOR);
  const handle = await host.open(asking);
  const searching = handle.search({ query: "cents" });
  asking.revoked = true;
  await assert.rejects(searching, Revoked);
  await assert.rejects(handle.health(), Revoked);
  await handle.close();
});

test("the context's signal ends what is under way", async () => {
  const asking = new Asking(OPERATOR);
  const handle = await host.open(asking);
  const searching = handle.search({ query: "cents" });
  asking.cancel();
  await assert.rejects(searching, { name: "AbortError" });
  await handle.close();
});

test("a closed lease reads no more; closing again does nothing, and the bridge lives on", async () => {
  const handle = await host.open();
  await handle.close();
  await handle.close();
  await assert.rejects(handle.search({ query: "cents" }), { kind: "unavailable" });
  await host.with(async (other) => assert.ok((await other.search({ query: "cents" })).hits.length > 0));
});

test("many requests at once each get their own answer", async () => {
  await host.with(async (handle) => {
    const words = ["cents", "oysters", "fridays", "commits"];
    const asked = Array.from({ length: 200 }, (_, n) => String(words[n % words.length]));
    const found = await Promise.all(asked.map((query) => handle.search({ query, maxResults: 1 })));
    found.forEach(({ hits }, n) => assert.match(hits[0]?.excerpt.toLowerCase() ?? "", RegExp(String(asked[n]))));
  });
});

test("refreshing works for any authority that is current", async () => {
  await host.with((handle) => handle.refresh(), new Asking(HOST));
});

test("a reload starts anew, and registering again starts nothing", async () => {
  await host.reload();
  host.register();
  await host.with(async (handle) => assert.equal((await handle.health()).status, "ready"));
});

test("health is answered while the store cannot be, without a path", async () => {
  const broken = place.host({ command: ["/nonexistent/memory-inbox"] });
  await broken.with(async (handle) => {
    const { status, message } = await handle.health();
    assert.equal(status, "unavailable");
    assert.match(message ?? "", /not found/);
    await assert.rejects(handle.search({ query: "cents" }), { kind: "unavailable" });
  });
  await broken.dispose();
});

test("an agent or an asker that is not named opens nothing", async () => {
  const runtime = host.capability?.providerRuntime;
  assert.ok(runtime);
  const context = new Asking(OPERATOR);
  assert.equal((await runtime.open({ agentId: "", context })).provider, null);
  assert.equal((await runtime.open(/** @type {any} */ ({ agentId: "main", context: {} }))).provider, null);
});
