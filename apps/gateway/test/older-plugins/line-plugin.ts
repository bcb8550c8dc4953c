import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { AdapterChannel, OlderReply } from "@openclaw/plugin-sdk/channel-core";
import type { PlatformLine } from "./line-platform.js";

/** Account as the plugin resolves it. */
interface Account {
  readonly accountId: string;
  readonly port: number;
}

/** Context of `startAccount`. */
interface StartContext {
  readonly cfg: Readonly<Record<string, unknown>>;
  readonly account: Account;
  readonly accountId: string;
  readonly abortSignal: AbortSignal;
  setStatus(status: object): void;
}

/**
 * Creates a channel plugin in the form of 2026: an object of adapters, which dispatches messages through
 * `runtime.channel` and sends replies itself.
 */
export function createLinePlugin() {
  const typing: string[] = [];
  const sockets = new Map<string, Socket>();
  return {
    /** Senders for whom typing was shown. */
    typing,
    plugin: {
      id: "lines",
      register(api: OpenClawPluginApi) {
        api.registerChannel({ plugin: channelOf(api, { typing, sockets }) });
      },
    },
  };
}

function channelOf(
  { runtime }: OpenClawPluginApi,
  { typing, sockets }: { readonly typing: string[]; readonly sockets: Map<string, Socket> },
): AdapterChannel {
  const resolveAccount = (cfg: unknown, accountId: string): Account => {
    const section = Reflect.get(Object(Reflect.get(Object(cfg), "channels")), "lines");
    const accounts = Reflect.get(Object(section), "accounts");
    const own = { ...Object(section), ...Object(Reflect.get(Object(accounts), accountId)) };
    return { accountId, port: Number(Reflect.get(own, "port") ?? 0) };
  };
  const send = (accountId: string, to: string, text: string) => {
    const socket = sockets.get(accountId);
    if (socket === undefined) throw Object.assign(new Error("offline"), { code: "ECONNREFUSED" });
    socket.write(`${JSON.stringify({ to, text })}\n`);
    return { channel: "lines", messageId: `sent-${to}` };
  };
  return {
    id: "lines",
    meta: { id: "lines", label: "Lines" },
    capabilities: { chatTypes: ["direct", "group"] },
    pairing: { normalizeAllowEntry: (entry: string) => entry.replace(/^lines:/, "").toLowerCase() },
    config: {
      listAccountIds: (cfg: unknown) => {
        const section = Reflect.get(Object(Reflect.get(Object(cfg), "channels")), "lines");
        return Object.keys(Object(Reflect.get(Object(section), "accounts") ?? { default: {} }));
      },
      resolveAccount,
      isConfigured: ({ port }: Account) => port > 0,
    },
    outbound: {
      deliveryMode: "direct",
      textChunkLimit: 400,
      sendText: async ({ to, text, accountId }: { to: string; text: string; accountId: string }) =>
        send(accountId, to.replace(/^lines:/, ""), text),
    },
    gateway: {
      async startAccount({ account, accountId, abortSignal, setStatus }: StartContext) {
        const socket = connect(account.port, "127.0.0.1");
        await once(socket, "connect");
        sockets.set(accountId, socket);
        setStatus({ accountId, connected: true });
        abortSignal.addEventListener("abort", () => socket.destroy(), { once: true });
        createInterface({ input: socket }).on("line", (line) => {
          const message: PlatformLine = JSON.parse(line);
          void receive(message, accountId);
        });
        await once(socket, "close");
        sockets.delete(accountId);
        if (!abortSignal.aborted) throw new Error("the server closed the connection");
      },
    },
  };

  async function receive({ id, from = "?", room, text }: PlatformLine, accountId: string) {
    const { channel } = runtime;
    if (channel === undefined) throw new Error("no runtime.channel");
    const peer = room === undefined ? { kind: "direct", id: from } : { kind: "group", id: room };
    const route = channel.routing.resolveAgentRoute({ channel: "lines", accountId, peer });
    const ctx = channel.reply.finalizeInboundContext({
      ...{ Body: text, RawBody: text, CommandBody: text },
      ...{ From: `lines:${from}`, To: `lines:${room ?? from}`, SenderId: from, SenderName: from },
      ...{ SessionKey: route.sessionKey, AccountId: route.accountId },
      ...{ ChatType: room === undefined ? "direct" : "group", Provider: "lines", Surface: "lines" },
      ...(id === undefined ? {} : { MessageSid: id }),
      WasMentioned: text.includes("bot"),
      CommandAuthorized: true,
    });
    await channel.reply.dispatchReplyWithBufferedBlockDispatcher({
      ctx,
      dispatcherOptions: {
        deliver: async (reply: OlderReply) => send(accountId, room ?? from, reply.text ?? ""),
        onReplyStart: () => void typing.push(from),
      },
    });
  }
}
