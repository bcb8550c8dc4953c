import { Dialog } from "../components/dialog.js";
import { chooseLetterKeys, hasLetterKeys, viewKeys } from "./keyboard.js";
import { closeOverlay } from "./overlays.js";
import { PLACES } from "./places.js";

/** List of the keys, `?`. */
export function Shortcuts() {
  const own = viewKeys.value;
  return (
    <Dialog titleId="keys-title" onClose={closeOverlay}>
      <header>
        <h2 id="keys-title">Keyboard</h2>
        <p>Single letters do nothing in text fields.</p>
      </header>
      <div class="in keys">
        <section>
          <h3 class="h">Everywhere</h3>
          <dl>
            <Keys title="Search or run" keys={["⌘K"]} />
            <Keys title="This list" keys={["?"]} />
            {PLACES.map(({ name, key }) => (
              <Keys key={key} title={name} keys={["g", key]} />
            ))}
            <Keys title="Undo" keys={["⌘Z"]} />
            <Keys title="Close" keys={["esc"]} />
          </dl>
        </section>
        {own.length > 0 && (
          <section>
            <h3 class="h">This view</h3>
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
          Single-letter keys
        </label>
        <button class="btn" type="button" onClick={closeOverlay}>
          Close <kbd>esc</kbd>
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
