/** Fingers and mouse buttons that are down. What they press must not be taken away before the click has come. */

/** How long after a finger is lifted its click may still come, and how long anybody is waited for, in milliseconds. */
const CLICK_WITHIN = 50;
const LONGEST = 1000;

/** @type {Promise<void> | null} */
let press = null;
let lift = () => {};

addEventListener(
  "pointerdown",
  (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    lift();
    const mine = new Promise((/** @type {(value: void) => void} */ done) => {
      lift = () => done();
      setTimeout(done, LONGEST);
    });
    press = mine;
    void mine.then(() => {
      if (press === mine) press = null;
    });
  },
  true,
);
addEventListener("pointerup", () => setTimeout(lift, CLICK_WITHIN), true);
addEventListener("pointercancel", () => lift(), true);
addEventListener("click", () => setTimeout(lift), true);

/** When nothing is pressed any more. */
export const lifted = async () => {
  while (press) await press;
};
