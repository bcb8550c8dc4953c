const PROTOCOL_3 = 196_608;
const SSL_REQUEST = 80_877_103;
const HEADER_BYTES = 5;

/** Messages of a client, as one connection receives them. */
export interface ClientSession {
  /**
   * Takes bytes from a client.
   * @param bytes - the next bytes
   * @returns answers to the client, and complete groups of messages for the database
   */
  take(bytes: Uint8Array): {
    readonly answers: readonly Uint8Array[];
    readonly groups: readonly Uint8Array[];
    readonly isEnded: boolean;
  };
  /** Returns the statements that give a session the settings that the client asked for. */
  settings(): string;
}

/**
 * Creates the reader of a client's messages (https://www.postgresql.org/docs/current/protocol-message-formats.html).
 * @param prefix - added to the names of its prepared statements, since several clients share one session
 */
export function clientSession(prefix: string): ClientSession {
  let pending = Buffer.alloc(0);
  let isStarted = false;
  let settings: readonly (readonly [name: string, value: string])[] = [];
  let group: Buffer[] = [];
  const takeStart = (answers: Buffer[]): boolean => {
    const length = pending.length < 8 ? 8 : pending.readInt32BE(0);
    if (pending.length < length) return false;
    const code = pending.readInt32BE(4);
    if (code === SSL_REQUEST) answers.push(Buffer.from("N"));
    if (code === PROTOCOL_3) {
      settings = settingsOf(pending.subarray(8, length));
      answers.push(GREETING);
      isStarted = true;
    }
    pending = pending.subarray(length);
    return true;
  };
  return {
    settings: () => settings.map(([name, value]) => `set ${name} = ${value};`).join(" "),
    take(bytes) {
      pending = Buffer.concat([pending, bytes]);
      const answers: Buffer[] = [];
      const groups: Buffer[] = [];
      let isEnded = false;
      while (!isStarted && takeStart(answers));
      while (isStarted && pending.length >= HEADER_BYTES) {
        const end = 1 + pending.readInt32BE(1);
        if (pending.length < end) break;
        const kind = String.fromCharCode(pending.readUInt8(0));
        const body = pending.subarray(HEADER_BYTES, end);
        pending = pending.subarray(end);
        if (kind === "X") isEnded = true;
        else group.push(messageOf(kind, renamed(kind, body, prefix)));
        if (kind === "Q" || kind === "S") {
          groups.push(Buffer.concat(group));
          group = [];
        }
      }
      return { answers, groups, isEnded };
    },
  };
}

/** Returns the settings of a startup message: `-c name=value` in its options. */
function settingsOf(body: Buffer): [name: string, value: string][] {
  const words = body.toString("utf8").split("\0");
  const options = words[words.indexOf("options") + 1] ?? "";
  return [...options.matchAll(/-c (\w+)=((?:\\.|[^ ])*)/g)].map(([, name = "", value = ""]) => [
    name,
    value.replaceAll(/\\(.)/g, "$1"),
  ]);
}

/** Returns the body of a message with the prefix at the name of its prepared statement. */
function renamed(kind: string, body: Buffer, prefix: string): Buffer {
  const at = placeOfName(kind, body);
  if (at === undefined || body.readUInt8(at) === 0) return body;
  return Buffer.concat([body.subarray(0, at), Buffer.from(prefix), body.subarray(at)]);
}

function placeOfName(kind: string, body: Buffer): number | undefined {
  if (kind === "P") return 0;
  if (kind === "B") return body.indexOf(0) + 1;
  const isOfStatement = body.length > 0 && String.fromCharCode(body.readUInt8(0)) === "S";
  return (kind === "D" || kind === "C") && isOfStatement ? 1 : undefined;
}

function messageOf(kind: string, body: Uint8Array): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(kind, 0, "latin1");
  header.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

/** Answer to a startup message: accepted without a password, and ready. */
const GREETING = Buffer.concat([
  messageOf("R", Buffer.alloc(4)),
  messageOf("S", Buffer.from("client_encoding\0UTF8\0")),
  messageOf("S", Buffer.from("standard_conforming_strings\0on\0")),
  messageOf("K", Buffer.alloc(8)),
  messageOf("Z", Buffer.from("I")),
]);
