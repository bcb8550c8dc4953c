import { Dialog } from "../components/dialog.js";
import { chooseLetterKeys, hasLetterKeys, viewKeys } from "./keyboard.js";
import { text } from "./messages.js";
import { closeOverlay } from "./overlays.js";
import { PLACES } from "./places.js";

/** List of the keys, `?`. */
export function Shortcuts() {
  const own = viewKeys.value;
  return (
    <Dialog titleId="keys-title" onClose={closeOverlay}>
      <header>
        <h2 id="keys-title">{text.keyboard}</h2>
        <p>{text.keysHint}</p>
      </header>
      <div class="in keys">
        <section>
          <h3 class="h">{text.everywhere}</h3>
          <dl>
            <Keys title={text.find} keys={["⌘K"]} />
            <Keys title={text.thisList} keys={["?"]} />
            {PLACES.map(({ name, key }) => (
              <Keys key={key} title={name} keys={["g", key]} />
            ))}
            <Keys title={text.undo} keys={["⌘Z"]} />
            <Keys title={text.close} keys={["esc"]} />
          </dl>
        </section>
        {own.length > 0 && (
          <section>
            <h3 class="h">{text.thisViewHead}</h3>
            <dl>
              {own.map(({ key, title }) => (
                <Keys key={key} title={title} keys={[key]} />
              ))}
            </dl>
          </section>
        )}
      </div>
      <footer>
        <label class="start line">
          <input
            class="switch"
            type="checkbox"
            role="switch"
            aria-checked={hasLetterKeys.value}
            checked={hasLetterKeys.value}
            onChange={(event) => chooseLetterKeys(event.currentTarget.checked)}
          />
          {text.letterKeys}
        </label>
        <button class="btn" type="button" onClick={closeOverlay}>
          {text.close} <kbd>esc</kbd>
        </button>
      </footer>
    </Dialog>
  );
}

function Keys({ title, keys }: { title: string; keys: readonly string[] }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dd>
    </div>
  );
}
