import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** No node has the given ID or name (SCALE-510). */
export class NodeNotFoundError extends OpenClawError {
  static override readonly code = "NODE_NOT_FOUND";
  static override readonly kind = "not-found";

  /**
   * @param reference - ID or name from the operator
   * @param matches - names of the nodes that it fits, when there are several
   */
  constructor(reference: string, matches: readonly string[] = []) {
    const problem =
      matches.length > 1
        ? `${matches.length} nodes fit ${JSON.stringify(reference)}: ${matches.join(", ")}`
        : `no node that lives has the ID or name ${JSON.stringify(reference)}`;
    super(`${problem}; \`openclaw nodes list\` shows the nodes of the database`);
  }
}

/** The only node that takes work cannot be drained, because its work would wait (SCALE-510). */
export class LastNodeError extends OpenClawError {
  static override readonly code = "LAST_NODE";
  static override readonly kind = "conflict";

  /** @param name - name of the node */
  constructor(name: string) {
    super(
      `${name} is the only node that takes work, so that messages would wait; start another node first, let a drained one take work with \`openclaw nodes resume\`, or stop this one with \`openclaw gateway stop\``,
    );
  }
}
