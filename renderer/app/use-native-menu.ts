import { useEffect } from 'react';
import { COMMANDS } from './commands.ts';
import { useAppContext } from './desk.ts';
import { nativeMenu } from './native-menu.ts';
import { useCommandContext } from './use-shortcuts.ts';

/** What can be done changes with every selection; the menu follows when that has rested for so long. */
const REST_MS = 150;

/** Keeps the system's menu true to the table of commands, and runs what is chosen there. Does nothing in a browser. */
export function useNativeMenu(): void {
  const { connection, store, events } = useAppContext();
  const context = useCommandContext();
  const { place } = connection;
  useEffect(() => {
    if (place === undefined) return undefined;
    let shown = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (): void => {
      timer = undefined;
      const menu = nativeMenu(context);
      const text = JSON.stringify(menu);
      if (text === shown) return;
      shown = text;
      place.showMenu(menu);
    };
    const showSoon = (): void => {
      timer ??= setTimeout(show, REST_MS);
    };
    show();
    const stops = [
      store.subscribe(showSoon),
      events.on(showSoon),
      place.onCommand((id) => {
        const command = COMMANDS.find((candidate) => candidate.id === id);
        if (command !== undefined && store.getState().dialog === null && command.when(context)) command.run(context);
      }),
    ];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [place, store, events, context]);
}
