import type { ApprovalDelivery, DeliveredApproval } from "@openclaw/approval-broker";
import type { ApprovalKind } from "@openclaw/store/decisions";

/** Conversation of a channel to which approval requests are sent. */
export type ApprovalTarget = NonNullable<DeliveredApproval["targets"]>[number];

/** Facts about an approval request that decide where it is delivered. */
export interface ApprovalOrigin {
  readonly sessionKey: string;
  /** Kind of the request; absent when it is not known yet, which matches any kind. */
  readonly kind?: ApprovalKind | undefined;
}

/** Places of an approval request besides the connected clients. */
export interface DeliveryRule {
  /** True when it is sent to the conversation that the call belongs to. */
  readonly toSession: boolean;
  readonly targets: readonly ApprovalTarget[];
}

const DEFAULT: DeliveryRule = { toSession: true, targets: [] };
const NOWHERE: DeliveryRule = { toSession: false, targets: [] };

/**
 * Returns where approval requests of an origin are delivered besides the connected clients (APPR-024). A request that the
 * filters leave out is delivered as if nothing were configured.
 * @param delivery - the section `approvals.delivery`
 * @param origin - session, and kind of the request
 */
export function deliveryRule(
  delivery: ApprovalDelivery | undefined,
  { sessionKey, kind }: ApprovalOrigin,
): DeliveryRule {
  if (delivery === undefined) return DEFAULT;
  if (kind !== undefined) return ruleOf(delivery[kind], sessionKey);
  const rules = (["exec", "plugin", "tool"] as const).map((each) =>
    ruleOf(delivery[each], sessionKey),
  );
  return {
    toSession: rules.some(({ toSession }) => toSession),
    targets: rules.flatMap(({ targets }) => targets),
  };
}

function ruleOf(settings: DeliveredApproval | undefined, sessionKey: string): DeliveryRule {
  if (settings === undefined) return DEFAULT;
  const { enabled = true, targets = [], agentFilter = [], sessionFilter = [] } = settings;
  const [, agentId] = /^agent:([^:]+):/.exec(sessionKey) ?? [];
  const isOfAgent = agentFilter.length === 0 || agentFilter.some((each) => each === agentId);
  const isOfSession =
    sessionFilter.length === 0 || sessionFilter.some((pattern) => matches(pattern, sessionKey));
  if (!isOfAgent || !isOfSession) return DEFAULT;
  if (!enabled) return NOWHERE;
  const { mode = targets.length === 0 ? "session" : "both" } = settings;
  return { toSession: mode !== "targets", targets: mode === "session" ? [] : targets };
}

/** Compares a key with a pattern in which `*` matches any characters. */
function matches(pattern: string, sessionKey: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return sessionKey === pattern;
  if (!sessionKey.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = sessionKey.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return sessionKey.length - last.length >= from && sessionKey.endsWith(last);
}
