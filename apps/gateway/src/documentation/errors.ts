import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** The documentation has no such page, and no page with these words. */
export class TopicNotFoundError extends OpenClawError {
  static override readonly code = "DOCS_TOPIC_NOT_FOUND";
  static override readonly kind = "not-found";

  /**
   * @param topic - words of the reader
   * @param similar - topics with similar names
   */
  constructor(topic: string, similar: readonly string[]) {
    const names = similar.map((each) => `\`openclaw docs ${each}\``).join(", ");
    const advice = similar.length === 0 ? "`openclaw docs` lists the topics" : `try ${names}`;
    super(`the documentation has no page "${topic}", and no page with these words; ${advice}`);
  }
}

/** This copy of OpenClaw was built without its documentation. */
export class DocumentationMissingError extends OpenClawError {
  static override readonly code = "DOCS_MISSING";
  static override readonly kind = "unavailable";

  /** @param folder - folder that has no documentation */
  constructor(folder: string) {
    super(
      `no documentation in ${folder}; build the checkout with \`npx -y pnpm@12.21.0 build\`, or install the package again`,
    );
  }
}
