import { type MethodCaller, OPERATOR_CALL } from "@openclaw/protocol";
import type { AuditActor } from "@openclaw/store/decisions";

/**
 * Returns the name of an operator: the token of the gateway and calls in its process are the same.
 * @param caller - caller of a method
 */
export function operatorOf({ id }: MethodCaller): string {
  return id === "gateway" ? OPERATOR_CALL.caller.id : id;
}

/**
 * Returns who made a change and how, for the audit log.
 * @param caller - caller of the method that makes the change
 */
export function actorOf(caller: MethodCaller): {
  readonly actor: AuditActor;
  readonly via: string;
} {
  const channel = caller.via === "process" ? "cli" : caller.via;
  return { actor: { channel, id: operatorOf(caller) }, via: channel };
}
