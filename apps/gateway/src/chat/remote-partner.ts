import { networkInterfaces } from "node:os";
import { connectGateway } from "@openclaw/client";
import { type ConversationPartner, conversationOver } from "@openclaw/client/conversation";
import { installation } from "../installation.js";

/** Chat with a running gateway. */
export interface RemotePartner extends ConversationPartner {
  /** Ends the connection. */
  close(): void;
}

/** Options of {@link connectPartner}. */
export interface RemotePartnerOptions {
  readonly url: string;
  readonly token: string;
  /** Full key of the session. */
  readonly sessionKey: string;
  /** `provider/model` that overrides the model of the gateway. */
  readonly model?: string | undefined;
  /** True when a person decides approval requests at this terminal. */
  readonly hasApprover: boolean;
  /** Time in milliseconds without a connection after which an exchange fails; none waits until it is interrupted. */
  readonly giveUpMs?: number | undefined;
  /** Shows a line when the connection is lost, and when it is there again; an observer receives it as well. */
  note(line: string): void;
}

/**
 * Connects to a running gateway, in the same session as a hosted chat (GW-008).
 * @param options - URL, token and model
 * @throws GatewayClientError when the gateway does not respond or rejects the client
 */
export async function connectPartner({
  url,
  token,
  hasApprover,
  ...conversation
}: RemotePartnerOptions): Promise<RemotePartner> {
  const connection = connectGateway({
    url,
    token,
    client: { id: "openclaw-cli", version: installation.version, mode: "cli" },
    approver: hasApprover,
  });
  try {
    await connection.ready({ attempts: 1 });
  } catch (error) {
    connection.close();
    throw error;
  }
  const remoteUrl = isOtherMachine(url) ? url : undefined;
  const partner = conversationOver(connection, { ...conversation, remoteUrl });
  return { ...partner, close: () => connection.close() };
}

/** Returns true for the URL of a gateway that does not run on the machine of this process. */
function isOtherMachine(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  if (host === "localhost" || host === "0.0.0.0" || host === "::") return false;
  const own = Object.values(networkInterfaces()).flatMap((each = []) => each);
  return !/^127\.|^::1$/.test(host) && own.every(({ address }) => address !== host);
}
