/** Right that a caller needs for a method or an event (GW-014). `operator.admin` includes every other scope. */
export type MethodScope =
  | "operator.read"
  | "operator.write"
  | "operator.approvals"
  | "operator.admin";
