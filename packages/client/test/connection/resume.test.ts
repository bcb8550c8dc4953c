import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { connectTestClient } from "../support/connected-client.js";
import { type FakeSocketGateway, startFakeSocketGateway } from "../support/fake-socket-gateway.js";

const SESSION = "agent:main:main";

/** Something that happens to a connection. */
type Step =
  | { readonly do: "publish"; readonly session: boolean }
  | {
      readonly do:
        | "preview"
        | "terminate"
        | "break-frame"
        | "repeat"
        | "skip"
        | "close"
        | "restart";
    };

const publish = fc.record({ do: fc.constant("publish" as const), session: fc.boolean() });
const fault = fc.record({
  do: fc.constantFrom("preview", "terminate", "break-frame", "repeat", "skip", "close"),
});

/** Carries out a step; publishes the number when it is an event. */
function carryOut(gateway: FakeSocketGateway, step: Step, number: number): void {
  const [connection] = gateway.connections;
  switch (step.do) {
    case "publish":
      if (step.session) {
        gateway.publish("chat.paused", {
          sessionKey: SESSION,
          runId: "r",
          approvalId: String(number),
        });
      } else {
        gateway.publish("plugins.changed", { generation: number });
      }
      return;
    case "restart":
      gateway.restart();
      return;
    case "preview":
      gateway.publish("chat.delta", { sessionKey: SESSION, runId: "r", delta: "x" });
      return;
    case "repeat":
      connection?.socket.send(connection.sendEvent("tick", { at: 0 }));
      return;
    case "skip":
      connection?.skipEvent();
      return;
    case "terminate":
      connection?.socket.terminate();
      return;
    case "break-frame":
      connection?.breakFrame();
      return;
    case "close":
      connection?.socket.close(1013);
  }
}

async function observe(
  steps: readonly Step[],
): Promise<{ seen: (number | "resync")[]; published: number[] }> {
  const gateway = await startFakeSocketGateway();
  const { connection } = connectTestClient(gateway.url, { subscribe: [SESSION] });
  const seen: (number | "resync")[] = [];
  connection.on("plugins.changed", ({ payload }) => seen.push(payload.generation));
  connection.on("chat.paused", ({ payload }) => seen.push(Number(payload.approvalId)));
  connection.on("resync", () => seen.push("resync"));
  await connection.ready();
  const published: number[] = [];
  for (const [number, step] of steps.entries()) {
    carryOut(gateway, step, number);
    if (step.do === "publish") published.push(number);
    // Some steps meet the consequences of the one before, others do not.
    if (number % 3 === 2) await new Promise((resolve) => setImmediate(resolve));
  }
  // The end is an event of its own; after a restart, only a new connection makes sure that it is not missing.
  await gateway.until(() => gateway.connections.length > 0);
  const last = connection.events({ names: ["sessions.changed"] });
  gateway.publish("sessions.changed", { sessionKey: SESSION, change: "updated" });
  await last.next();
  connection.close();
  return { seen, published };
}

describe("events over lost connections", () => {
  it("[SDK-039] reach a listener each once and in their order, whatever happens to the connection", async () => {
    const steps = fc.array(fc.oneof({ weight: 3, arbitrary: publish }, fault), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(steps, async (run) => {
        const { seen, published } = await observe(run as Step[]);
        expect(seen).toEqual(published);
      }),
      { numRuns: 60 },
    );
  });

  it("are missing only before a resync, when the gateway restarted", async () => {
    const restart = fc.record({ do: fc.constant("restart" as const) });
    const steps = fc.array(
      fc.oneof({ weight: 6, arbitrary: publish }, { weight: 2, arbitrary: fault }, restart),
      { maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (run) => {
        const { seen, published } = await observe(run as Step[]);
        let next = 0;
        let mayMiss = false;
        for (const each of seen) {
          if (each === "resync") {
            mayMiss = true;
            continue;
          }
          const index = published.indexOf(each, next);
          expect(index).toBeGreaterThanOrEqual(next);
          if (!mayMiss) expect(index).toBe(next);
          mayMiss = false;
          next = index + 1;
        }
        if (!mayMiss) expect(next).toBe(published.length);
      }),
      { numRuns: 40 },
    );
  });
});
