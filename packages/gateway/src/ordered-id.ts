import { randomBytes } from "node:crypto";

/**
 * A UUID of version 7, which begins with the time: ids that are made later sort later. The rows of new
 * messages and runs then lie together in the database, where those of drawn ids would each touch a page
 * of their own.
 * @param now - milliseconds since the epoch
 */
export function orderedId(now: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}
