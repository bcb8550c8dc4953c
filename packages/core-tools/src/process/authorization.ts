import type { LiteralCommand } from "@openclaw/safety";

/** Authorization of a call of `exec`, which determines how it runs (APPR-038). */
export type ExecAuthorization =
  /** A person or a setting allowed the text as shown: a shell runs it. */
  | {
      readonly run: "shell";
      /** A person allowed this call after its request named the followed files that it changes. */
      readonly isApproved?: boolean | undefined;
      /** Runs in the read-only or the workspace-writable sandbox, or not at all. */
      readonly access?: "contained" | "workspace" | undefined;
    }
  /** The command was authorized as parsed: its programs are started without a shell. */
  | {
      readonly run: "parsed";
      /** Programs absolute, except `cd`. */
      readonly command: LiteralCommand;
      /**
       * With `read-only` it runs in the read-only sandbox where there is one; with `contained` it runs there or not at
       * all, and with `workspace` in the workspace-writable one or not at all.
       */
      readonly access?: "read-only" | "contained" | "workspace" | undefined;
    };

const authorizations = new WeakMap<object, ExecAuthorization>();

/**
 * Attaches the authorization of one call to its arguments. Only the pipeline of tool calls does this;
 * `exec` runs nothing without it.
 * @param params - the object that the tool gets, not a copy of it
 * @param authorization - authorization of the call
 */
export function authorizeExec(params: object, authorization: ExecAuthorization): void {
  authorizations.set(params, authorization);
}

/**
 * Returns the authorization of a call of `exec`.
 * @param params - the object that the tool got
 * @returns undefined when the call was not authorized
 */
export function execAuthorization(params: object): ExecAuthorization | undefined {
  return authorizations.get(params);
}
