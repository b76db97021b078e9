import { readFileSync } from 'node:fs';
import { MantineProvider } from '@mantine/core';
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { theme, variables } from '../../renderer/components/theme.ts';

/** Style text without what a formatter changes: blanks, quotes, comments, the last semicolon. */
const bare = (css: string): string =>
  css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/["']/g, '')
    .replace(/\s+/g, '')
    .replace(/;\}/g, '}');

test('theme-variables.css holds the variables of the theme, because no style element may be made at run time', () => {
  render(
    <MantineProvider theme={theme} cssVariablesResolver={variables} withGlobalClasses={false}>
      text
    </MantineProvider>,
  );
  const made = document.querySelector('style[data-mantine-styles]')?.textContent ?? '';
  const stored = readFileSync('renderer/components/theme-variables.css', 'utf8');
  expect(made).not.toBe('');
  expect(
    bare(stored.replace(/@layer tokens \{([\s\S]*)\}\s*$/, '$1')),
    `theme-variables.css should read:\n${made}`,
  ).toBe(bare(made));
});
