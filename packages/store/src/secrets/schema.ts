import type { Generated } from "kysely";

/**
 * Tables of the secrets context. Times are milliseconds since the epoch. `salt`, `nonce`, `ciphertext` and `tag`
 * are base64; no column has a value in clear text.
 */
export interface SecretSchema {
  secrets: SecretColumns;
  secret_uses: SecretUseColumns;
  credential_requests: CredentialRequestColumns;
}

export interface CredentialRequestColumns {
  session_key: string;
  plugin_id: string;
  name: string;
  expires_at: number;
}

export interface SecretUseColumns {
  position: Generated<number>;
  owner: string;
  name: string;
  actor: string;
  used_by: string;
  at: number;
}

export interface SecretColumns {
  owner: string;
  name: string;
  key_id: string;
  salt: string;
  nonce: string;
  ciphertext: string;
  tag: string;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  last_used_by: string | null;
}
