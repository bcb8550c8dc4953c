import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { PassThrough, Transform, type TransformCallback } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { PluginSourceError } from "../errors.js";

/** Limits for the content of an archive, a folder or a repository. */
export const UNPACK_LIMITS = {
  /** Size of the archive itself, in bytes. */
  archiveBytes: 128 * 1024 * 1024,
  /** Sum of the files, in bytes. */
  bytes: 256 * 1024 * 1024,
  /** Number of files and folders. */
  entries: 20_000,
} as const;

/** Headers and padding of a tar file, per entry, in bytes. */
const OVERHEAD_PER_ENTRY = 4096;
const TAR_BYTES = UNPACK_LIMITS.bytes + UNPACK_LIMITS.entries * OVERHEAD_PER_ENTRY;
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Error that stops unpacking at once, so that nothing more of the archive is decompressed. */
class Refusal extends Error {}

/**
 * Unpacks an archive in npm's format, with one folder around everything, as a stream: the memory use does not
 * depend on the size of the archive. Links, devices and content above {@link UNPACK_LIMITS} are rejected.
 * @param file - absolute path of a `.tar` or `.tgz`
 * @param dir - existing folder
 * @param requested - specifier as the operator wrote it
 * @throws PluginSourceError
 */
export async function unpackArchive(file: string, dir: string, requested: string): Promise<void> {
  const { extract } = await import("tar");
  let entries = 0;
  let bytes = 0;
  let refusal: Refusal | undefined;
  const refuse = (reason: string) => {
    refusal ??= new Refusal(reason);
    source.destroy(refusal);
  };
  const source = createReadStream(file);
  try {
    await assertArchiveSize(file);
    const isPacked = await startsWithGzip(file);
    const unpacking = extract({
      cwd: dir,
      strip: 1,
      strict: true,
      // Only bytes that `Bounded` has counted are read.
      gzip: false,
      brotli: false,
      zstd: false,
      filter: (path, entry) => {
        entries += 1;
        bytes += entry.size ?? 0;
        if (entries > UNPACK_LIMITS.entries || bytes > UNPACK_LIMITS.bytes) {
          refuse("it is too large");
        } else if ("type" in entry && !["File", "OldFile", "Directory"].includes(entry.type)) {
          refuse(`${path} is neither a file nor a folder`);
        }
        return refusal === undefined;
      },
    });
    await pipeline(source, isPacked ? createGunzip() : new PassThrough(), new Bounded(), unpacking);
    // A small archive was read to its end before its entry was refused, so nothing was left to stop.
    if (refusal !== undefined) throw refusal;
  } catch (cause) {
    throw unpackFailure(requested, refusal ?? cause);
  } finally {
    source.destroy();
  }
}

/**
 * Computes the subresource integrity of a file as a stream.
 * @param file - absolute path of the file
 */
export async function integrityOf(file: string): Promise<string> {
  const hash = createHash("sha512");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return `sha512-${hash.digest("base64")}`;
}

/** Stream that fails above the maximum size of a tar file, and on a second compression. */
class Bounded extends Transform {
  #bytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const isFirst = this.#bytes === 0;
    this.#bytes += chunk.length;
    if (isFirst && chunk.subarray(0, GZIP.length).equals(GZIP)) {
      done(new Refusal("it is compressed twice"));
    } else if (this.#bytes > TAR_BYTES) {
      done(new Refusal("it is too large"));
    } else {
      done(null, chunk);
    }
  }
}

async function assertArchiveSize(file: string): Promise<void> {
  const { size } = await stat(file);
  if (size > UNPACK_LIMITS.archiveBytes) throw new Refusal("it is too large");
}

async function startsWithGzip(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(GZIP.length), 0, GZIP.length, 0);
    return bytesRead === GZIP.length && buffer.equals(GZIP);
  } finally {
    await handle.close();
  }
}

function unpackFailure(requested: string, cause: unknown): PluginSourceError {
  const problem =
    cause instanceof Refusal
      ? `the archive was rejected: ${cause.message}`
      : "cannot unpack the archive";
  return new PluginSourceError(requested, problem, "create the archive again", cause);
}
