import { readFileSync } from "node:fs";
import { writePrivateFile } from "@openclaw/plugin-sdk/plugin-entry";

/** A signed-in session of NEAR AI. */
export interface Session {
  readonly token: string;
  /** Milliseconds since the epoch; undefined when the server did not say. */
  readonly expiresAt: number | undefined;
}

/** File with the session, which only its owner can read (HOST-038). */
export class SessionFile {
  readonly path: string;

  /** @param path - absolute path */
  constructor(path: string) {
    this.path = path;
  }

  /** Returns the session; undefined when there is none or the file is damaged. */
  read(): Session | undefined {
    try {
      const { session_token: token, expires_at: expires } = Object(
        JSON.parse(readFileSync(this.path, "utf8")),
      );
      if (typeof token !== "string" || token === "") return undefined;
      const expiresAt = Date.parse(String(expires));
      return { token, expiresAt: Number.isNaN(expiresAt) ? undefined : expiresAt };
    } catch {
      return undefined;
    }
  }

  /**
   * Writes the session, so that another process reads either the old or the new one.
   * @param session - token and expiry
   * @param provider - account that the user signed in with
   * @param now - milliseconds since the epoch
   * @throws an error with the code `FILE_NOT_REPLACED` when the file can neither be replaced nor written
   */
  async write({ token, expiresAt }: Session, provider: string, now: number): Promise<void> {
    const content = {
      session_token: token,
      created_at: new Date(now).toISOString(),
      auth_provider: provider,
      expires_at: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
    };
    await writePrivateFile(this.path, `${JSON.stringify(content, null, 2)}\n`);
  }
}
