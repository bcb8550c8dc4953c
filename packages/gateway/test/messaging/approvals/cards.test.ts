import type { ReplySurface } from "@openclaw/messaging";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { Store } from "@openclaw/store";
import { describe, expect, it, vi } from "vitest";
import {
  createTestHost,
  message,
  OWNER,
  openTestStore,
  SESSION,
  type TestHostOptions,
} from "../../support/host.js";

const eventually = (check: () => void | Promise<void>) => vi.waitFor(check, 40_000);
const BOSS = {
  channel: "telegram",
  conversationId: "chat-9",
  senderId: "boss",
  senderIsOwner: true,
};

/** Message in a conversation, with everything that it showed. */
interface Shown {
  readonly shows: string[];
  buttons: readonly { readonly label: string; readonly value: string }[];
}

/** A conversation of a channel with buttons, whose messages can be changed unless `editable` is false. */
function room({ editable = true, hasButtons = true } = {}) {
  const messages: Shown[] = [];
  const surface: ReplySurface = {
    hasButtons,
    deduplicates: false,
    async send({ text = "", buttons = [] }) {
      messages.push({ shows: [text], buttons: buttons.flat() });
      return { messageId: String(messages.length) };
    },
    async edit(messageId, { text = "", buttons = [] }) {
      if (!editable) return false;
      const shown = messages[Number(messageId) - 1];
      shown?.shows.push(text);
      if (shown !== undefined) shown.buttons = buttons.flat();
      return true;
    },
  };
  return {
    surface,
    messages,
    async card(): Promise<Shown> {
      return await vi.waitFor(() => {
        const found = messages.find(({ shows: [text = ""] }) => text.includes("Act?"));
        if (found === undefined) throw new Error("no approval request was shown");
        return found;
      }, 10_000);
    },
  };
}

function registerAct(ran: string[]) {
  return (api: OpenClawPluginApi) =>
    api.registerTool({
      name: "act",
      label: "Act",
      description: "Acts.",
      parameters: { type: "object", properties: {} },
      approval: "unless-granted",
      execute: () => {
        ran.push("act");
        return "acted";
      },
    });
}

const SCRIPT = [{ toolCalls: [{ toolName: "act", params: {} }] }, { text: "Acted." }];

async function acting(options: TestHostOptions & { rooms?: Record<string, ReplySurface> } = {}) {
  const { rooms = {}, ...others } = options;
  const ran: string[] = [];
  const host = await createTestHost({
    register: registerAct(ran),
    script: SCRIPT,
    findSurface: ({ channel, to }) => rooms[`${channel}:${to}`],
    ...others,
  });
  host.attendTargets();
  return { host, ran };
}

const TARGET = { channel: "slack", to: "C1" };

describe("approval requests as messages", () => {
  it("[APPR-024] are sent to the conversation and the targets once, with buttons or with the code", async () => {
    const chat = room();
    const ops = room({ hasButtons: false });
    const store = await openTestStore();
    const approvals: { delivery?: { tool: { targets: (typeof TARGET)[] } } } = {
      delivery: { tool: { targets: [TARGET] } },
    };
    const options = {
      store,
      approvals,
      rooms: { "slack:C1": ops.surface },
    };
    const { host, ran } = await acting(options);
    const asked = host.flow.receive(message("act", BOSS), { surface: chat.surface });
    const card = await chat.card();
    expect(card.buttons.map(({ label }) => label)).toEqual(["Allow once", "Always allow", "Deny"]);
    const [approval] = await host.store.decisions.approvals.pending(SESSION);
    const text = (await ops.card()).shows[0];
    expect((await ops.card()).buttons).toEqual([]);
    expect(text).toContain(`Reply /approve ${approval?.code} to allow it once`);
    const seenByClient: string[] = [];
    host.presence.attend({ channel: "ui", show: ({ id }) => void seenByClient.push(id) });
    await eventually(() => expect(seenByClient).toEqual([approval?.id]));
    // The same request is offered again to a target that is configured again, and is in both conversations already.
    const { delivery } = approvals;
    delete approvals.delivery;
    host.attendTargets();
    Object.assign(approvals, { delivery });
    host.attendTargets();
    const rows = async () => await store.messages.outbox.partsOf(approval?.id ?? "");
    expect((await rows()).map(({ target }) => target.channel).sort()).toEqual([
      "slack",
      "telegram",
    ]);
    await host.approvals.decide(approval?.id ?? "", { decision: "deny", via: "cli" }, OWNER);
    await asked;
    expect(ran).toEqual([]);
    expect(ops.messages.filter(({ shows: [first = ""] }) => first.includes("code:"))).toHaveLength(
      1,
    );
    expect(chat.messages.filter(({ shows: [first = ""] }) => first.includes("code:"))).toHaveLength(
      1,
    );
  });

  it("[GW-662] are sent to a target from the time when it is configured, and no longer when it is removed", async () => {
    const approvals: { delivery?: { tool: { mode: "targets"; targets: (typeof TARGET)[] } } } = {};
    const chat = room();
    const ops = room();
    const rooms = { "slack:C1": ops.surface };
    const script = [...SCRIPT, ...SCRIPT, ...SCRIPT];
    const { host } = await acting({ approvals, rooms, script });
    const ask = async (text: string) => {
      const asked = host.flow.receive(message(text, BOSS), { surface: chat.surface });
      await eventually(async () =>
        expect(await host.store.decisions.approvals.pending(SESSION)).toHaveLength(1),
      );
      const [approval] = await host.store.decisions.approvals.pending(SESSION);
      return async () => {
        await host.approvals.decide(approval?.id ?? "", { decision: "deny", via: "cli" }, OWNER);
        await asked;
      };
    };
    const first = await ask("one");
    await chat.card();
    expect(ops.messages).toEqual([]);
    await first();
    approvals.delivery = { tool: { mode: "targets", targets: [TARGET] } };
    host.attendTargets();
    const second = await ask("two");
    await ops.card();
    await second();
    const { length } = ops.messages;
    delete approvals.delivery;
    host.attendTargets();
    const third = await ask("three");
    await third();
    expect(ops.messages).toHaveLength(length);
  });

  it("[APPR-024] go to the targets only, to no conversation, or as usual for other agents and sessions", async () => {
    const cases = [
      [{ mode: "targets", targets: [TARGET] }, "C1"],
      [{ enabled: false, targets: [TARGET] }, "nowhere"],
      [{ mode: "targets", targets: [TARGET], agentFilter: ["work"] }, "chat"],
      [{ mode: "targets", targets: [TARGET], sessionFilter: ["*:slack:*"] }, "chat"],
    ] as const;
    for (const [tool, place] of cases) {
      const chat = room();
      const ops = room();
      const { host } = await acting({
        approvals: { delivery: { tool: structuredClone(tool) as object } },
        rooms: { "slack:C1": ops.surface },
      });
      const asked = host.flow.receive(message("act", BOSS), { surface: chat.surface });
      if (place === "nowhere") {
        // No approver is reachable, so the call is denied at once.
        await asked;
        expect(host.asked().at(-1)).toContain("no approver reachable");
        continue;
      }
      const [shown, other] = place === "chat" ? [chat, ops] : [ops, chat];
      await shown.card();
      const [approval] = await host.store.decisions.approvals.pending(SESSION);
      await host.approvals.decide(approval?.id ?? "", { decision: "deny", via: "cli" }, OWNER);
      await asked;
      expect(other.messages.filter(({ shows: [text = ""] }) => text.includes("Act?"))).toEqual([]);
    }
  });

  it("[APPR-029] show decision, decider and way everywhere, and only the first answer counts", async () => {
    const chat = room();
    const ops = room();
    const pager = room({ editable: false });
    const targets = [TARGET, { channel: "sms", to: "+1" }];
    const { host, ran } = await acting({
      approvals: { delivery: { tool: { targets } } },
      rooms: { "slack:C1": ops.surface, "sms:+1": pager.surface },
    });
    const asked = host.flow.receive(message("act", BOSS), { surface: chat.surface });
    const [card, opsCard] = [await chat.card(), await ops.card()];
    await pager.card();
    const [allow, , deny] = opsCard.buttons;
    const press = (value = "") =>
      host.flow.receive(message(value, { ...BOSS, channel: "slack", conversationId: "C1" }), {
        surface: ops.surface,
      });
    expect(await press(allow?.value)).toMatchObject({
      text: expect.stringContaining("allowed once"),
    });
    expect(await asked).toMatchObject({ text: "Acted." });
    expect(await press(deny?.value)).toMatchObject({
      text: expect.stringContaining("APPROVAL_ALREADY_DECIDED"),
    });
    expect(ran).toEqual(["act"]);
    const decision = "Allowed once by slack:boss (button)";
    await eventually(() => expect(card.shows.at(-1)).toContain(decision));
    await eventually(() => expect(opsCard.shows.at(-1)).toContain(decision));
    expect([...card.buttons, ...opsCard.buttons]).toEqual([]);
    await eventually(() => expect(pager.messages.at(-1)?.shows[0]).toContain(decision));
    expect(pager.messages).toHaveLength(2);
  });

  it("changes a message whose request expires later, with buttons that are valid as long", async () => {
    let time = 1_790_000_000_000;
    const chat = room();
    const { host, ran } = await acting({ now: () => time, store: await openTestStore(() => time) });
    const asked = host.flow.receive(message("act", BOSS), { surface: chat.surface });
    const card = await chat.card();
    const [before] = card.buttons;
    const [approval] = await host.store.decisions.approvals.pending(SESSION);
    time = (approval?.expiresAt ?? 0) - 10_000;
    await host.approvals.hold(approval?.id ?? "");
    await eventually(() => expect(card.buttons[0]?.value).not.toBe(before?.value));
    expect(card.shows.at(-1)).toContain("1 min left");
    time += 20_000;
    const press = (value = "") =>
      host.flow.receive(message(value, BOSS), { surface: chat.surface });
    expect(await press(before?.value)).toMatchObject({ text: "This button is not valid." });
    expect(ran).toEqual([]);
    await press(card.buttons[0]?.value);
    await asked;
    expect(ran).toEqual(["act"]);
  });
});

describe("a button of an approval request", () => {
  async function pressedAfterRestart(store: Store, value: (own: string) => string) {
    const chat = room();
    const rooms = { "telegram:chat-9": chat.surface };
    const first = await acting({ store, rooms });
    void first.host.flow.receive(message("act", BOSS), { surface: chat.surface });
    const card = await chat.card();
    await first.host.flow.close();
    const { host, ran } = await acting({ store, rooms, script: [{ text: "Acted." }] });
    await host.flow.recover();
    const [allow] = card.buttons;
    const text = value(allow?.value ?? "");
    const pressed = await host.flow.receive(message(text, BOSS), { surface: chat.surface });
    return { host, ran, chat, card, pressed };
  }

  it("[APPR-033] decides after a restart, its message shows it, and the turn continues", async () => {
    const store = await openTestStore();
    const { ran, chat, card, pressed } = await pressedAfterRestart(store, (own) => own);
    expect(pressed).toMatchObject({ text: expect.stringContaining("allowed once") });
    await eventually(() => expect(chat.messages.at(-1)?.shows).toEqual(["Acted."]));
    expect(ran).toEqual(["act"]);
    await eventually(() => expect(card.shows.at(-1)).toContain("Allowed once by telegram:boss"));
  });

  it("[APPR-033] is rejected without detail when it was changed", async () => {
    const store = await openTestStore();
    const { host, ran, pressed } = await pressedAfterRestart(store, (own) => {
      const last = own.at(-1) === "A" ? "B" : "A";
      return own.slice(0, -1) + last;
    });
    expect(pressed).toMatchObject({ status: "answered", text: "This button is not valid." });
    expect(await host.store.decisions.approvals.pending(SESSION)).toHaveLength(1);
    expect(ran).toEqual([]);
  });

  it("[APPR-028] is for approvers only", async () => {
    const chat = room();
    const { host, ran } = await acting();
    void host.flow.receive(message("act", BOSS), { surface: chat.surface });
    const [allow] = (await chat.card()).buttons;
    const guest = { ...BOSS, senderId: "guest", senderIsOwner: false };
    expect(
      await host.flow.receive(message(allow?.value ?? "", guest), { surface: chat.surface }),
    ).toMatchObject({ text: expect.stringContaining("NOT_AUTHORIZED_TO_APPROVE") });
    expect(ran).toEqual([]);
  });
});
