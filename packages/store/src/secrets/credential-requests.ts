import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";

/** Request of a plugin for a credential, which the next message of a session answers (SUB-045). */
export interface CredentialRequest {
  readonly sessionKey: string;
  readonly pluginId: string;
  /** Name of the secret of the plugin. */
  readonly name: string;
  /** Milliseconds since the epoch after which messages are ordinary input again. */
  readonly expiresAt: number;
}

/** Sessions that wait for a credential. */
export interface CredentialRequests {
  /** Returns every request, also expired ones. */
  list(): Promise<readonly CredentialRequest[]>;
  /** Stores a request, instead of an earlier one of its session. */
  put(request: CredentialRequest): Promise<void>;
  /**
   * Removes the request of a session, if there is one.
   * @param sessionKey - full key of the session
   */
  remove(sessionKey: string): Promise<void>;
}

/** The credential requests of a database or transaction. */
export class CredentialRequestTable implements CredentialRequests {
  readonly #unit: UnitOfWork;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async list(): Promise<readonly CredentialRequest[]> {
    const rows = await this.#unit
      .query()
      .selectFrom("credential_requests")
      .selectAll()
      .orderBy("session_key")
      .execute();
    return rows.map(({ session_key, plugin_id, name, expires_at }) => ({
      sessionKey: decodeText(session_key),
      pluginId: decodeText(plugin_id),
      name: decodeText(name),
      expiresAt: Number(expires_at),
    }));
  }

  async put({ sessionKey, pluginId, name, expiresAt }: CredentialRequest): Promise<void> {
    await this.#unit.atomic(async (unit) => {
      await new CredentialRequestTable(unit).remove(sessionKey);
      await unit
        .query()
        .insertInto("credential_requests")
        .values({
          session_key: encodeText(sessionKey),
          plugin_id: encodeText(pluginId),
          name: encodeText(name),
          expires_at: expiresAt,
        })
        .execute();
    });
  }

  async remove(sessionKey: string): Promise<void> {
    await this.#unit
      .query()
      .deleteFrom("credential_requests")
      .where("session_key", "=", encodeText(sessionKey))
      .execute();
  }
}
