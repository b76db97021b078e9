import { useMantineColorScheme } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import { type CommandContext, useAppContext, useView } from './app-context.ts';
import { type CommandId, commandOf } from './commands.ts';
import { selectAllRows } from './grid-commands.ts';
import { useAccount } from './shared-queries.ts';
import { commandFor, keysOf } from './shortcuts.ts';

/** Keeps transitions. To pause them, Mantine inserts a style element, which the content policy forbids. */
export const useSetColorScheme = () => useMantineColorScheme({ keepTransitions: true }).setColorScheme;

export function useCommandContext(): CommandContext {
  const app = useAppContext();
  const setColorScheme = useSetColorScheme();
  const account = useAccount(useView((s) => s.workspaceId));
  const { practice = false, isSample: sample = false, hasTeam: team = false } = account ?? {};
  return useMemo(
    () => ({ app, practice, sample, team, setColorScheme }),
    [app, practice, sample, team, setColorScheme],
  );
}

/** The shortcut of a command, with the user's changes; null if it has none. */
export function useKeys(id: CommandId): string | null {
  const keys = useView((s) => s.keys);
  return keysOf(commandOf(id), keys);
}

/** Ctrl+A outside text fields: the browser would select the page. The grid handles it to select rows. */
const isSelectAll = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  (event.ctrlKey || event.metaKey) &&
  !event.shiftKey &&
  !event.altKey &&
  event.key.toLowerCase() === 'a';

/** Runs commands by their shortcuts wherever the focus is. While a dialog is open, no shortcut runs. */
export function useShortcuts(): void {
  const context = useCommandContext();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { target } = event;
      const inText =
        target instanceof HTMLInputElement ||
        target instanceof HTMLTextAreaElement ||
        target instanceof HTMLSelectElement;
      const { dialog, keys } = context.app.store.getState();
      const inDialog = dialog !== null;
      if (isSelectAll(event) && !inText) {
        event.preventDefault();
        if (!inDialog) selectAllRows(context);
        return;
      }
      const command = commandFor(event, inText, keys);
      if (command === undefined || inDialog || event.isComposing || !command.when(context)) return;
      event.preventDefault();
      command.run(context);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [context]);
}
