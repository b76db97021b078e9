import type { ComponentProps } from 'react';
import ui from './ui.module.css';

/** A small button in a line of others; `aria-pressed` makes it a switch. */
export const Chip = (props: Omit<ComponentProps<'button'>, 'type' | 'className'>) => (
  // After the rest: the target of a menu is given a class that stands for none.
  <button {...props} type="button" className={ui['chip']} />
);
