import { ActionIcon, Popover } from '@mantine/core';
import { IconFilterEdit } from '@tabler/icons-react';
import { useState } from 'react';
import { FILTER_FORM_ID } from '../../app/command-doings.ts';
import { enFilter } from '../../messages/en-filter.ts';
import { lazyComponent } from '../../ui/later.tsx';
import type { FilterLinesProps } from './FilterLines.tsx';

const FilterLines = lazyComponent(async () => (await import('./FilterLines.tsx')).FilterLines);

/** A filter put together by choosing, which is the same text that can be typed. */
export function FilterForm(props: FilterLinesProps) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      id={FILTER_FORM_ID}
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      trapFocus
      returnFocus
      shadow="md"
      width={470}
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={22}
          aria-label={enFilter.open}
          title={enFilter.open}
          aria-expanded={opened}
          onClick={() => setOpened((before) => !before)}
        >
          <IconFilterEdit size={16} stroke={1.5} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={enFilter.open}>{opened && <FilterLines {...props} />}</Popover.Dropdown>
    </Popover>
  );
}
