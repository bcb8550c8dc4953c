import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Keys at an approval card of the chat. */
export const APPROVAL_CARD = mutantsOf(
  "apps/gateway",
  [
    {
      source: "chat/screen/approval-card.ts",
      noticedBy: ["chat/screen/approval-card"],
      mutants: [
        [
          "card-ignores-unknown-keys",
          "GW-340",
          "      // Escape, and every key that has no meaning here.\n      this.#pager.endSearch();\n      this.#takeBack();",
          "      this.#pager.endSearch();",
        ],
        [
          "card-keeps-the-choice-during-a-search",
          "GW-340",
          "      this.#takeBack();\n      this.#pager.search();",
          "      this.#pager.search();",
        ],
        [
          "card-decides-with-letters-of-a-search",
          "GW-340",
          "    if (this.#pager.isTyping) {",
          "    if (this.#pager.isTyping && text === undefined) {",
        ],
        [
          "card-gives-every-key-to-the-prefix",
          "GW-340",
          "const isEdited = this.#mayEditPrefix && isForField(data, text);",
          "const isEdited = this.#mayEditPrefix;",
        ],
        [
          "card-chooses-after-a-failed-decision",
          "GW-340",
          "    this.#isSent = false;\n    this.#takeBack();",
          "    this.#isSent = false;",
        ],
      ],
    },
  ],
  "apps",
);
