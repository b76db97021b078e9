import { type MantineThemeOverride, Menu, Modal, mergeThemeOverrides, Popover } from '@mantine/core';
import { theme } from '../../../renderer/ui/theme.ts';

/** What opens over the window stays in its own place here, so that every dialog and menu is seen at once. */
const inPlace: MantineThemeOverride = {
  components: {
    Modal: Modal.extend({
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        withinPortal: false,
        withOverlay: false,
        trapFocus: false,
        returnFocus: false,
        closeOnEscape: false,
        lockScroll: false,
        transitionProps: { duration: 0 },
        styles: {
          inner: { position: 'static', width: 'auto', padding: 0 },
          content: { maxHeight: 'none', boxShadow: 'none', border: '1px solid var(--line)' },
        },
      },
    }),
    Menu: Menu.extend({
      defaultProps: {
        withinPortal: false,
        trapFocus: false,
        withInitialFocusPlaceholder: false,
        transitionProps: { duration: 0 },
      },
    }),
    Popover: Popover.extend({ defaultProps: { withinPortal: false, transitionProps: { duration: 0 } } }),
  },
};

export const galleryTheme = mergeThemeOverrides(theme, inPlace);
