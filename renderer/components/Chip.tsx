import type { ComponentProps } from 'react';
import ui from './ui.module.css';

/** A small button in a row of others; `aria-pressed` makes it a toggle. */
export const Chip = (props: Omit<ComponentProps<'button'>, 'type' | 'className'>) => (
  // After the rest, because a menu passes a class to its target that has no styles.
  <button {...props} type="button" className={ui['chip']} />
);
