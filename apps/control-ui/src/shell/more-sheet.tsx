import { useLocation } from "wouter-preact";
import { Dialog } from "../components/dialog.js";
import { Icon } from "../components/icons.js";
import { signOut } from "../state/credential.js";
import { nextTheme, theme } from "../state/theme.js";
import { text } from "./messages.js";
import { closeOverlay, openPalette } from "./overlays.js";
import { PLACE_GROUPS } from "./place.js";
import { PlaceList } from "./rail.js";

/** Views for which the bar of narrow screens has no room, with search, theme and sign-out. */
export function MoreSheet() {
  const [path] = useLocation();
  return (
    <Dialog class="sheet" label={text.moreViews} onClose={closeOverlay}>
      <button class="find" type="button" onClick={openPalette}>
        <Icon name="search" />
        <span>{text.find}</span>
      </button>
      {PLACE_GROUPS.map((group) => (
        <PlaceList key={group} group={group} path={path} onGo={closeOverlay} />
      ))}
      <p class="foot">
        <button class="btn quiet" type="button" onClick={() => signOut()}>
          {text.signOut}
        </button>
        <button class="btn quiet" type="button" onClick={nextTheme}>
          <Icon name="theme" /> {text.theme(text[theme.value])}
        </button>
      </p>
    </Dialog>
  );
}
