import { describe, expect, it } from "vitest";
import { createTestHost, message } from "../../support/host.js";

const configuration = {
  channels: {
    mail: {
      senders: {
        mode: "allowlist",
        allow: [{ kind: "suffix", value: "@example.com" }],
        block: [{ kind: "exact", value: "eve@example.com" }],
      },
    },
  },
} as const;

describe("the access list of a channel", () => {
  it("[SAFE-053] keeps other senders from hooks, models and answers", async () => {
    const told: string[] = [];
    const host = await createTestHost({
      configuration,
      register(api) {
        api.on("message_receiving", ({ senderId = "" }) => void told.push(`receiving ${senderId}`));
        api.on("message_received", ({ senderId = "" }) => void told.push(`received ${senderId}`));
        api.on("request_post", ({ outcome }) => void told.push(outcome));
      },
    });
    const shown: unknown[] = [];
    const surface = {
      async send(payload: unknown) {
        shown.push(payload);
        return {};
      },
    };
    for (const senderId of ["ann@example.org", "EVE@example.com"]) {
      const written = message("hello", { channel: "Mail", senderId, senderIsOwner: false });
      const outcome = await host.flow.receive(written, { surface });
      expect(outcome).toMatchObject({
        status: "withheld",
        text: "",
        reason: "channels.Mail.senders does not accept this sender",
      });
      expect(await host.store.messages.inbox.get(outcome.messageId)).toMatchObject({
        state: "cancelled",
      });
    }
    expect(told).toEqual(["cancelled", "cancelled"]);
    expect(shown).toEqual([]);
    expect(host.asked()).toEqual([]);
  });

  it("[SAFE-053] keeps other senders from models where no plugin sees their messages", async () => {
    const host = await createTestHost({ configuration });
    const written = message("hello", {
      channel: "mail",
      senderId: "eve@example.com",
      senderIsOwner: false,
    });
    expect(await host.flow.receive(written, {})).toMatchObject({ status: "withheld", text: "" });
    expect(host.asked()).toEqual([]);
  });

  it("[SAFE-053] accepts those it lists, the owner, and everyone on other channels", async () => {
    const host = await createTestHost({ configuration });
    for (const rest of [
      { channel: "mail", senderId: "Ann@Example.com", senderIsOwner: false },
      { channel: "mail", senderId: "ann@example.org", senderIsOwner: true },
      { channel: "irc", senderId: "ann@example.org", senderIsOwner: false },
    ]) {
      expect(await host.flow.receive(message("hello", rest), {})).toMatchObject({
        status: "replied",
      });
    }
  });
});
