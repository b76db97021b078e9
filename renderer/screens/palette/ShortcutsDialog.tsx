import { Modal } from '@mantine/core';
import { COMMANDS } from '../../app/commands.ts';
import { useDesk } from '../../app/desk.ts';
import { en } from '../../messages/en.ts';

/** Every shortcut in one table, made from the table of commands. */
export function ShortcutsDialog() {
  const { dismiss } = useDesk().store.getState();
  return (
    <Modal opened onClose={dismiss} title={en.shortcuts.title} size="lg">
      <dl className="shortcuts">
        {COMMANDS.map((command) =>
          command.shortcut === null ? null : (
            <div key={command.id}>
              <dt>{en.commands[command.id]}</dt>
              <dd>
                <kbd>{command.shortcut}</kbd>
              </dd>
            </div>
          ),
        )}
      </dl>
      <h3 className="group-title">{en.shortcuts.grid}</h3>
      <dl className="shortcuts">
        {en.shortcuts.gridKeys.map(([keys, what]) => (
          <div key={keys}>
            <dt>{what}</dt>
            <dd>
              <kbd>{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
