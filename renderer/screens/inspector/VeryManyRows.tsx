import { Button } from '@mantine/core';
import { commandOf } from '../../app/commands.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import { DETAILS_MAX } from '../../data/use-selected-rows.ts';
import { type CommandId, en } from '../../messages/en.ts';
import { Empty } from '../../ui/Empty.tsx';

/** The tools that take any number of rows, the one of a deadline first. */
const TOOLS: readonly CommandId[] = ['bulk.amount', 'bulk.set', 'bulk.replace'];

/** More rows are selected than the details can hold: what changes them all the same. */
export function VeryManyRows({ count }: { readonly count: number }) {
  const context = useCommandContext();
  return (
    <Empty title={en.inspector.many(count)} text={en.inspector.tooMany(DETAILS_MAX)}>
      {TOOLS.map((id) => {
        const command = commandOf(id);
        if (command?.when(context) !== true) return null;
        return (
          <Button key={id} onClick={() => command.run(context)}>
            {en.commands[id]}
          </Button>
        );
      })}
    </Empty>
  );
}
