/** How requests fare when the child is slow, wrong, dead or gone. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { Bridge } from "../../../store/apus/plugin/bridge.mjs";
import { MemoryFailure } from "../../../store/apus/plugin/errors.mjs";
import { LineReader } from "../../../store/apus/plugin/lines.mjs";
import { createRuntime } from "../../../store/apus/plugin/runtime.mjs";

const FAKE = fileURLToPath(new URL("fake-bridge.mjs", import.meta.url));

/**
 * Lend a bridge over a child that behaves in some way.
 *
 * @param {string[]} behaviour
 * @param {(bridge: Bridge, logged: string[]) => Promise<void>} use
 * @param {number} [timeoutMs]
 */
async function over(behaviour, use, timeoutMs = 10_000) {
  /** @type {string[]} */
  const logged = [];
  const log = (/** @type {string} */ message) => void logged.push(message);
  const logger = { debug: log, info: log, warn: log, error: log };
  const command = [process.execPath, FAKE, ...behaviour];
  const bridge = new Bridge({ command, providerId: "memory-inbox", timeoutMs, logger });
  try {
    await use(bridge, logged);
  } finally {
    await bridge.dispose();
  }
}

/** @param {MemoryFailure["kind"]} kind */
const failing = (kind) => (/** @type {unknown} */ error) => error instanceof MemoryFailure && error.kind === kind;

test("answers come in any order and find their requests", () =>
  over(["echo"], async (bridge) => {
    /** @type {number[]} */
    const order = [];
    const asked = [60, 30, 0].map((ms) => bridge.call("m", { ms }).then((got) => order.push(got.params.ms)));
    await Promise.all(asked);
    assert.deepEqual(order, [0, 30, 60]);
  }));

test("an error of the bridge keeps its kind and its words", () =>
  over(["echo"], async (bridge) => {
    await assert.rejects(bridge.call("refuse", {}), { kind: "conflict", message: "it has changed" });
  }));

test("what is aborted is cancelled in the bridge, and its answer is dropped", async () => {
  const journal = join(mkdtempSync(join(tmpdir(), "apus-")), "journal");
  await over(["echo", journal], async (bridge) => {
    const abort = new AbortController();
    await bridge.call("warm", {});
    const slow = bridge.call("slow", { ms: 200 }, { signals: [abort.signal] });
    abort.abort();
    await assert.rejects(slow, { name: "AbortError", kind: "cancelled" });
    assert.equal((await bridge.call("next", { ms: 300 })).method, "next");
    assert.match(readFileSync(journal, "utf8"), /slow 2\n\$\/cancel 2\nnext 3/);
  });
});

test("what was aborted before is not sent", async () => {
  const journal = join(mkdtempSync(join(tmpdir(), "apus-")), "journal");
  await over(["echo", journal], async (bridge) => {
    await assert.rejects(bridge.call("m", {}, { signals: [AbortSignal.abort()] }), failing("cancelled"));
    await bridge.call("other", {});
    assert.doesNotMatch(readFileSync(journal, "utf8"), /m 1/);
  });
});

test("a request whose caller may not any more at the last moment is not sent", async () => {
  const journal = join(mkdtempSync(join(tmpdir(), "apus-")), "journal");
  await over(["echo", journal], async (bridge) => {
    const beforeSend = () => {
      throw new Error("revoked");
    };
    await assert.rejects(bridge.call("m", {}, { beforeSend }), { message: "revoked" });
    assert.equal((await bridge.call("other", {})).method, "other");
    assert.doesNotMatch(readFileSync(journal, "utf8"), /m 1/);
  });
});

test("a request has a deadline, the child's start included", async () => {
  for (const behaviour of ["deaf", "late"]) {
    await over([behaviour], (bridge) => assert.rejects(bridge.call("m", {}), failing("unavailable")), 300);
  }
});

test("no more than 64 requests are held by the child, and all are answered in the end", () =>
  over(["echo"], async (bridge) => {
    const asked = Array.from({ length: 200 }, (_, n) => bridge.call("m", { n, ms: 100 }));
    const answers = await Promise.all(asked);
    assert.deepEqual(answers.map((answer) => answer.params.n), [...answers.keys()]);
    assert.equal(Math.max(...answers.map((answer) => answer.held)), 64);
  }));

test("too many requests are refused at once", () =>
  over(["deaf"], async (bridge) => {
    const asked = Array.from({ length: 64 + 1024 }, () => bridge.call("m", {}).catch(() => {}));
    await assert.rejects(bridge.call("m", {}), { kind: "unavailable", message: /too many/ });
    await bridge.stop();
    await Promise.all(asked);
  }));

test("a child that died is started again by the next request", () =>
  over(["echo"], async (bridge) => {
    await assert.rejects(bridge.call("die", {}), failing("unavailable"));
    assert.equal((await bridge.call("m", {})).method, "m");
  }));

test("what was not sent when the child died is answered by the next one", () =>
  over(["echo"], async (bridge) => {
    const filling = Array.from({ length: 63 }, () => bridge.call("m", { ms: 5000 }).catch(() => "lost"));
    const dying = bridge.call("die", {}).catch(() => "lost");
    const waiting = bridge.call("waiting", {});
    assert.equal((await waiting).method, "waiting");
    assert.deepEqual(new Set(await Promise.all([dying, ...filling])), new Set(["lost"]));
  }));

for (const [behaviour, words] of /** @type {const} */ ([
  ["crash", /could not be started/],
  ["noise", /could not be started/],
  ["other", /another version/],
])) {
  test(`a child that starts with ${behaviour} fails its requests, and is not tried again at once`, () =>
    over([behaviour], async (bridge, logged) => {
      await assert.rejects(bridge.call("m", {}), { kind: "unavailable", message: words });
      await assert.rejects(bridge.call("m", {}), { kind: "unavailable" });
      await assert.rejects(bridge.call("m", {}), { kind: "unavailable" });
      assert.equal(logged.filter((line) => line.startsWith("memory-inbox bridge:")).length, 3);
    }));
}

test("a program that is not there is said", async () => {
  const logger = { info() {}, warn() {}, error() {} };
  const bridge = new Bridge({ command: ["/nonexistent/program"], providerId: "p", timeoutMs: 5000, logger });
  await assert.rejects(bridge.call("m", {}), { kind: "unavailable", message: /was not found/ });
  await bridge.dispose();
});

test("an answer over the limit ends the child, not the host", () =>
  over(["long"], async (bridge) => {
    await assert.rejects(bridge.call("m", {}), failing("unavailable"));
  }));

test("after stop a request starts another child, after dispose none", () =>
  over(["echo"], async (bridge) => {
    await bridge.call("m", {});
    await bridge.stop();
    await bridge.stop();
    assert.equal((await bridge.call("m", {})).method, "m");
    await bridge.dispose();
    await bridge.dispose();
    await assert.rejects(bridge.call("m", {}), { kind: "unavailable", message: /unloaded/ });
  }));

test("before a reload nothing new is taken, and what is under way is answered", () =>
  over(["echo"], async (bridge) => {
    const runtime = createRuntime(bridge, "memory-inbox", () => {});
    await bridge.call("warm", {});
    const slow = bridge.call("slow", { ms: 100 });
    const reload = runtime.prepareReload();
    await assert.rejects(bridge.call("m", {}), { kind: "unavailable", message: /reloaded/ });
    let answered = false;
    void slow.then(() => (answered = true));
    await reload.drain();
    assert.ok(answered);
    reload.resume();
    assert.equal((await bridge.call("m", {})).method, "m");
    runtime.prepareReload({ retireRuntime: false });
    assert.equal((await bridge.call("m", {})).method, "m");
  }));

test("a process that waits for nothing ends, though its child lives", async () => {
  const bridge = new URL("../../../store/apus/plugin/bridge.mjs", import.meta.url);
  const program = `
    import { Bridge } from ${JSON.stringify(bridge.href)};
    const logger = { info() {}, warn() {}, error() {} };
    const command = [process.execPath, ${JSON.stringify(FAKE)}, "echo"];
    const bridge = new Bridge({ command, providerId: "p", timeoutMs: 20000, logger });
    console.log((await bridge.call("m", {})).method);`;
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { timeout: 15_000 });
  assert.equal((await run).stdout, "m\n");
});

test("lines are whole, however their bytes come", () => {
  const text = "eins\nzwei\n\nvi\u{1F600}r\nrest";
  const bytes = Buffer.from(text);
  for (let size = 1; size <= bytes.length; size += 1) {
    /** @type {string[]} */
    const lines = [];
    const reader = new LineReader((line) => lines.push(line));
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    assert.deepEqual(lines, ["eins", "zwei", "", "vi\u{1F600}r"]);
  }
});
