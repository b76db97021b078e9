import type { ReactNode } from 'react';
import ui from '../components/ui.module.css';
import { type LongListProps, VirtualList } from '../components/VirtualList.tsx';
import type { Pages } from './pages.ts';

interface PageListProps<T> extends Omit<LongListProps, 'count' | 'line' | 'onWant'> {
  readonly list: Pages<{ readonly total: number }, T>;
  /** Renders an entry that has been read. */
  readonly line: (entry: T, index: number) => ReactNode;
}

/** A list that main reads by pages; only the pages in view are requested. Other entries have a placeholder. */
export const PageList = <T,>({ list, line, ...rest }: PageListProps<T>) => (
  <VirtualList
    {...rest}
    count={list.newest?.total ?? 0}
    onWant={list.want}
    line={(index) => {
      const entry = list.at(index);
      return entry === undefined ? <span className={ui['long-skeleton']} /> : line(entry, index);
    }}
  />
);
