import type { ApprovalNeed } from "@openclaw/plugin-sdk/tools";

/** Reason why a call needs approval. It decides which approval given in advance covers the call. */
export type ApprovalCause =
  /** The tool's own need, or the operator's setting for it. */
  | { readonly kind: "tool" }
  /** A rule of the tool policy. */
  | { readonly kind: "policy" }
  /** A rule of safety. */
  | { readonly kind: "safety" }
  /**
   * A trusted policy cannot tell what a command does. Settings cover it where the command runs in the
   * workspace-writable sandbox, which bounds what it can do (APPR-046).
   */
  | {
      readonly kind: "doubt";
      /** The need of the tool itself after the operator's settings. */
      readonly toolNeed: ApprovalNeed;
    }
  /** A plugin, for its own reason: an always-ask rule, a destructive command, its own policy. */
  | { readonly kind: "plugin" };
