import type { ComponentProps, KeyboardEvent } from 'react';

interface TabListProps extends Pick<ComponentProps<'div'>, 'ref' | 'className' | 'children'> {
  readonly label: string;
}

/** Tabs, one of them open. Left and Right open the neighboring tab. */
export const TabList = ({ label, ...rest }: TabListProps) => (
  <div {...rest} role="tablist" aria-label={label} onKeyDown={stepTabs} />
);

function stepTabs(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
  event.preventDefault();
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')];
  const at = tabs.findIndex((tab) => tab.matches(':focus'));
  const next = tabs[(at + (event.key === 'ArrowRight' ? 1 : -1) + tabs.length) % tabs.length];
  next?.focus();
  next?.click();
}

type TabProps = Omit<ComponentProps<'button'>, 'type' | 'role' | 'tabIndex'> & { readonly isOpen: boolean };

export const Tab = ({ isOpen, ...rest }: TabProps) => (
  <button {...rest} type="button" role="tab" aria-selected={isOpen} tabIndex={isOpen ? 0 : -1} />
);
