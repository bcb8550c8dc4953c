import type { Fault } from "../state/fault.js";
import { filled } from "../text/catalogue.js";
import { text } from "./messages.js";

/** Failure beside the control that caused it. */
export function FaultNote({ fault, id }: { fault: Fault; id?: string }) {
  return (
    <p class="note t12" data-s="failed" role="alert" id={id}>
      <span>
        <b>{fault.code}</b> {fault.message}
        {fault.requestId !== undefined && (
          <> {filled(text.request, { id: <code>{fault.requestId}</code> })}</>
        )}
      </span>
    </p>
  );
}
