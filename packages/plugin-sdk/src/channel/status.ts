import type { JsonValue } from "../schema/json.js";

/** Progress of the host's work on a message (CHAN-005). */
export type StatusUpdate =
  | { readonly kind: "thinking"; readonly text: string }
  | { readonly kind: "tool_started"; readonly name: string }
  | { readonly kind: "tool_completed"; readonly name: string; readonly success: boolean }
  | { readonly kind: "tool_result"; readonly name: string; readonly preview: string }
  | { readonly kind: "stream_chunk"; readonly text: string }
  | { readonly kind: "status"; readonly text: string }
  | {
      readonly kind: "job_started";
      readonly jobId: string;
      readonly title: string;
      /** Page that shows the job; absent when there is none. */
      readonly url?: string;
    }
  | {
      readonly kind: "approval_needed";
      readonly requestId: string;
      readonly tool: string;
      readonly description: string;
      readonly parameters: JsonValue;
    }
  | {
      readonly kind: "auth_required";
      readonly extension: string;
      readonly instructions?: string;
      readonly authUrl?: string;
      readonly setupUrl?: string;
    }
  | {
      readonly kind: "auth_completed";
      readonly extension: string;
      readonly success: boolean;
      readonly message: string;
    };
