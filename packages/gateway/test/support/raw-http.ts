import { connect } from "node:net";
import { text } from "node:stream/consumers";

/** Response as it was received. */
export interface RawResponse {
  readonly status: number;
  /** Headers by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends bytes to a port of this machine, and reads until the connection closes. HTTP clients correct or reject the
 * requests that tests of a server need.
 * @param port - port of the server
 * @param bytes - request, with its line breaks
 * @param half - true to close the sending side after the bytes
 * @returns everything that the server sent
 */
export async function exchange(port: number, bytes: string, half = true): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  // The server may close while bytes are sent.
  socket.on("error", () => undefined);
  if (half) socket.end(bytes, "latin1");
  else socket.write(bytes, "latin1");
  try {
    return await text(socket);
  } finally {
    socket.destroy();
  }
}

/**
 * Splits what a server sent into responses; only the last one may have a body of unknown length.
 * @param received - text from {@link exchange}
 */
export function responsesIn(received: string): readonly RawResponse[] {
  return received
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((part) => part !== "")
    .map((part) => {
      const [head = "", ...body] = part.split("\r\n\r\n");
      const [line = "", ...fields] = head.split("\r\n");
      const headers = fields.map((field) => {
        const [name = "", ...value] = field.split(":");
        return [name.toLowerCase(), value.join(":").trim()];
      });
      return {
        status: Number(line.split(" ")[1]),
        headers: Object.fromEntries(headers),
        body: body.join("\r\n\r\n"),
      };
    });
}
