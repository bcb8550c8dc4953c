import { useEffect } from "preact/hooks";
import { gateway, missingScope } from "../../state/link.js";
import { text } from "./messages.js";
import { loadText, textFile } from "./settings.js";

/** The file as text, with its comments. */
export function TextEditor() {
  const missing = missingScope("operator.admin");
  const isOpen = gateway.value !== undefined;
  const file = textFile.value;
  useEffect(() => {
    if (isOpen && missing === undefined && file === undefined) void loadText();
  }, [isOpen, missing, file === undefined]);
  if (missing !== undefined) {
    return (
      <div class="empty">
        <h2>{text.asText}</h2>
        <p>{text.textNeeds(missing)}</p>
      </div>
    );
  }
  if (file === undefined) return <div aria-busy="true" />;
  return (
    <div class="form text">
      <h2 class="formh">
        {text.asText} <span class="dim mono t12">{file.file}</span>
      </h2>
      <p class="dim t12" id="text-help">
        {text.textHelp} {file.text === "" && text.noFile}{" "}
        {file.included.length > 0 && text.included(file.included.join(", "))}
      </p>
      <textarea
        class="textarea mono t12"
        aria-label={text.content}
        aria-describedby="text-help"
        spellcheck={false}
        value={file.typed}
        onInput={({ currentTarget }) => {
          textFile.value = { ...file, typed: currentTarget.value };
        }}
      />
    </div>
  );
}
