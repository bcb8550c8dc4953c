import { createInterface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import type { GatewayMethodResult } from "@openclaw/protocol";
import { createColors } from "picocolors";
import { describe, expect, it } from "vitest";
import { checkNodes } from "../../src/doctor/checks/nodes.js";
import { checkQueues } from "../../src/doctor/checks/queues.js";
import { printNodes } from "../../src/nodes/list.js";

type Node = GatewayMethodResult<"nodes.list">["nodes"][number];

const OTHER: Node = {
  ...{ nodeId: "fedcba9876543210", name: "server-2-8", version: "1.0.0", state: "draining" },
  ...{ isSelf: false, isLeading: false, startedAt: 0, seenAt: 0, revisions: {} },
  differs: ["configuration", "plugins"],
};
const LEADING: Node = {
  ...{ ...OTHER, nodeId: "0123456789abcdef", name: "server-1-7", state: "active" },
  ...{ isSelf: true, isLeading: true, turns: 2, sessions: 3, differs: [] },
};

function printed(cluster: GatewayMethodResult<"nodes.list">): string {
  const lines: string[] = [];
  const print = (text: string) => void lines.push(text);
  printNodes(cluster, {
    ...{ print, write: print, note: print, divert: () => () => {}, hasScreen: false },
    ...{ isInteractive: false, colors: createColors(false) },
    size: () => ({ rows: 40, columns: 120 }),
    openInput: () => createInterface({ input: new PassThrough() }),
  });
  return lines.join("\n");
}

const asked = (nodes: readonly Node[], isShared = true) =>
  checkNodes({ http: { client: { call: async () => ({ isShared, nodes }) as never } } });

describe("nodes at the command line", () => {
  it("[SCALE-510] [SCALE-022] are a table of states and work, with what differs", () => {
    const text = printed({ isShared: true, nodes: [LEADING, OTHER] });
    expect(text).toMatch(/^ID +NAME +STATE +VERSION +TURNS +SESSIONS +DIFFERS IN/);
    expect(text).toMatch(/89abcdef +server-1-7 +active, leads, this one +1\.0\.0 +2 +3 +nothing/);
    expect(text).toMatch(/76543210 +server-2-8 +draining +1\.0\.0 +- +- +configuration, plugins/);
    expect(text).toContain("most others differ from: server-2-8");
    expect(printed({ isShared: true, nodes: [LEADING] })).not.toContain("most others");
    expect(printed({ isShared: false, nodes: [] })).toContain("has its database alone");
  });

  it("[SCALE-022] [GW-046] are compared by the doctor", async () => {
    expect(await asked([LEADING])).toMatchObject([{ status: "ok", message: "1 agree" }]);
    expect(await asked([LEADING, OTHER])).toMatchObject([
      {
        status: "warn",
        message: "server-2-8 differs from most other nodes in configuration, plugins",
      },
    ]);
    expect(await asked([{ ...OTHER, differs: [] }])).toMatchObject([
      { status: "warn", message: expect.stringContaining("no node leads") },
    ]);
    expect(await asked([], false)).toEqual([]);
    expect(await checkNodes(undefined)).toEqual([]);
  });
});

describe("queues of work", () => {
  it("[SCALE-014] [GW-046] are a warning of doctor when work failed for good", async () => {
    const checked = (dead: number) => {
      const queues = [{ queue: "reply", open: 1, dead }];
      return checkQueues({ http: { client: { call: async () => ({ queues }) as never } } });
    };
    expect(await checked(0)).toMatchObject([{ name: "queues", status: "ok" }]);
    const [found] = await checked(2);
    expect(found).toMatchObject({
      status: "warn",
      message: expect.stringContaining('2 of "reply"'),
    });
    expect(found?.hint).toContain("openclaw queue requeue");
    expect(await checkQueues(undefined)).toEqual([]);
  });
});
