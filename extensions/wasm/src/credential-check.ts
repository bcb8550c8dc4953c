import { errorMessage } from "@openclaw/plugin-sdk/kit";
import { type HttpBoundary, HttpFailure } from "@openclaw/wasm-host";
import type { LoadedComponent } from "./library/folder-scan.js";

/** Result of the service of a component about its credential. */
export interface CredentialCheck {
  readonly component: string;
  readonly isAccepted: boolean;
  readonly message: string;
}

/**
 * Sends the request that tells whether the credential of a component is valid, by the rules of its capabilities (WASM-012).
 * @param http - requests of the component
 * @returns undefined for a component without such a request
 */
export async function checkCredential(
  { name, capabilities: { auth } }: LoadedComponent,
  http: HttpBoundary | undefined,
): Promise<CredentialCheck | undefined> {
  const validation = auth?.validation;
  if (validation === undefined || http === undefined) return undefined;
  const { url, method, successStatus } = validation;
  try {
    const request = { url, method, headersJson: "{}", body: undefined, timeoutMs: undefined };
    const { status } = await http.execution(1)(request);
    const isAccepted = status === successStatus;
    const message = isAccepted ? `accepted (${status})` : `rejected (${status})`;
    return { component: name, isAccepted, message: `${new URL(url).host} ${message}` };
  } catch (error) {
    const code = error instanceof HttpFailure ? `${error.code}: ` : "";
    return { component: name, isAccepted: false, message: `${code}${errorMessage(error)}` };
  }
}
