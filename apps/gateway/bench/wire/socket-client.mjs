// A client of the WebSocket of a gateway that keeps no frames: it counts the events, and checks their numbers and cursors.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { WebSocket } from "ws";

/**
 * Connects a client.
 * @param gateway - URL and token
 * @param options - parameters of `connect` in addition to the token
 */
export async function connectClient({ url, token }, options = {}) {
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws`);
  const closed = once(socket, "close").then(([code]) => code);
  socket.on("error", () => {});
  const responses = new Map();
  const finals = new Map();
  const wrong = [];
  let calls = 0;
  let seq = 0;
  let position = 0;
  let ended = 0;
  let sent = 0;

  const call = (method, params) =>
    new Promise((resolve, reject) => {
      calls += 1;
      const id = String(calls);
      responses.set(id, { resolve, reject });
      socket.send(JSON.stringify({ type: "req", id, method, params }));
    });

  socket.on("message", (data) => {
    const frame = JSON.parse(data.toString());
    if (frame.type === "res") {
      const { resolve, reject } = responses.get(frame.id);
      responses.delete(frame.id);
      if (frame.ok) resolve(frame.payload);
      else reject(new Error(frame.error.message));
      return;
    }
    if (frame.type !== "event") throw new Error(frame.error.message);
    seq += 1;
    if (frame.seq !== seq) wrong.push(`seq ${frame.seq} after ${seq - 1}`);
    if (frame.dropped !== undefined) wrong.push(`${frame.dropped} events were left out`);
    if (frame.cursor !== undefined && frame.event !== "tick") {
      const next = Number(frame.cursor.split("-")[1]);
      if (next <= position) wrong.push(`cursor ${next} after ${position}`);
      position = next;
    }
    if (frame.event === "chat.error") wrong.push(frame.payload.error.message);
    if (frame.event === "chat.final") {
      ended += 1;
      const { messageId } = frame.payload;
      const waiting = finals.get(messageId);
      finals.set(messageId, true);
      if (waiting === true) wrong.push(`chat.final twice for ${messageId}`);
      else waiting?.();
    }
  });

  await once(socket, "open");
  const client = { id: "bench", version: "1.0.0", mode: "automation" };
  await call("connect", {
    ...{ minProtocol: 1, maxProtocol: 1, client, auth: { token } },
    ...options,
  });
  return {
    send(sessionKey, text) {
      sent += 1;
      return call("chat.send", { sessionKey, text, idempotencyKey: randomUUID() });
    },
    /** Resolves when the answer to a message has ended. */
    async final(messageId) {
      if (finals.get(messageId) === true) return;
      await new Promise((resolve) => finals.set(messageId, resolve));
      finals.set(messageId, true);
    },
    /** Returns what was wrong with the events since the last check. */
    check() {
      const found = wrong.splice(0);
      if (ended !== sent) found.push(`${ended} of ${sent} turns have ended`);
      ended = 0;
      sent = 0;
      finals.clear();
      return found;
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    closed: () => closed,
    close: () => socket.close(),
  };
}
