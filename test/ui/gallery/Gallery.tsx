import { MantineProvider } from '@mantine/core';
import { useState } from 'react';
import { createDesk } from '../../../renderer/app/create-desk.ts';
import { DeskProvider } from '../../../renderer/app/desk.ts';
import { theme, variables } from '../../../renderer/ui/theme.ts';
import { createMemoryDesk } from '../memory-connection.ts';
import { FIELD_PARTS } from './field-parts.tsx';
import type { Part } from './part.ts';
import { SMALL_PARTS } from './small-parts.tsx';
import { SYNC_PARTS } from './sync-parts.tsx';

export const PARTS: readonly Part[] = [...SMALL_PARTS, ...FIELD_PARTS, ...SYNC_PARTS];

const QUIET = { tell: () => {}, fail: () => {}, offer: () => {} };

/** Every part of the desk in every state, one below the other, to be looked at and to be measured. */
export function Gallery() {
  const [desk] = useState(() => createDesk(createMemoryDesk().connection, QUIET));
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <DeskProvider value={desk}>
        <div className="gallery" style={{ height: '100vh', overflow: 'auto', padding: 16 }}>
          {PARTS.map(({ name, states }) => (
            <section key={name} aria-label={name}>
              <h2 className="group-title">{name}</h2>
              <div style={{ display: 'grid', gap: 16, gridTemplateColumns: 'repeat(auto-fill, minmax(320px, 1fr))' }}>
                {Object.entries(states).map(([state, part]) => (
                  <figure key={state} aria-label={`${name}, ${state}`} style={{ margin: 0, minWidth: 0 }}>
                    <figcaption className="quiet">{state}</figcaption>
                    {name === 'FileCard' ? <ul className="cards">{part}</ul> : part}
                  </figure>
                ))}
              </div>
            </section>
          ))}
        </div>
      </DeskProvider>
    </MantineProvider>
  );
}
