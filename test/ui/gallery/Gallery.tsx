import { MantineProvider } from '@mantine/core';
import { variables } from '../../../renderer/ui/theme.ts';
import { AREAS, type Area } from './areas.ts';
import { galleryTheme } from './in-place.ts';
import type { Part } from './part.ts';
import { Stage } from './Stage.tsx';

const isArea = (name: string): name is Area => Object.hasOwn(AREAS, name);

/** The area that an address names behind its `#`; the first one where it names none. */
export const areaOf = (hash: string): Area => {
  const name = decodeURIComponent(hash.slice(1));
  return isArea(name) ? name : 'small';
};

/** Every part of one area in every state, one below the other, to be looked at and to be measured. */
export function Gallery({ area }: { readonly area: Area }) {
  const parts: readonly Part[] = AREAS[area];
  return (
    <MantineProvider
      theme={galleryTheme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <Stage>
        <div className="gallery">
          <nav aria-label="Areas">
            {Object.keys(AREAS).map((name) => (
              <a key={name} href={`#${encodeURIComponent(name)}`} aria-current={name === area ? 'page' : undefined}>
                {name}
              </a>
            ))}
          </nav>
          {parts.map(({ name, states, isWide = false }) => (
            <section key={name} aria-label={name} className={isWide ? 'gallery-part gallery-wide' : 'gallery-part'}>
              <h2 className="group-title">{name}</h2>
              {Object.entries(states).map(([state, part]) => (
                <figure key={state} aria-label={`${name}, ${state}`}>
                  <figcaption className="quiet">{state}</figcaption>
                  {name === 'FileCard' ? <ul className="cards">{part}</ul> : part}
                </figure>
              ))}
            </section>
          ))}
        </div>
      </Stage>
    </MantineProvider>
  );
}
