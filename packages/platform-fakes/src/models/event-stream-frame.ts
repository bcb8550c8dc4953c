import { crc32 } from "node:zlib";

const STRING_TYPE = 7;

/**
 * Returns a frame of AWS's binary event stream: lengths, headers, payload, and a checksum of each.
 * @param headers - headers with string values, for example `:event-type`
 * @param payload - JSON of the event
 */
export function eventStreamFrame(
  headers: Readonly<Record<string, string>>,
  payload: object,
): Uint8Array {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)));
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(8 + 4 + head.length + body.length + 4, 0);
  prelude.writeUInt32BE(head.length, 4);
  const start = Buffer.concat([prelude, checksum(prelude), head, body]);
  return Buffer.concat([start, checksum(start)]);
}

function header(name: string, value: string): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([STRING_TYPE]),
    length,
    bytes,
  ]);
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}
