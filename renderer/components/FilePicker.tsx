import type { ComponentProps } from 'react';

interface FilePickerProps extends Pick<ComponentProps<'input'>, 'ref' | 'accept' | 'multiple' | 'aria-label'> {
  /** Called with one file at least. */
  readonly onPick: (files: readonly File[]) => void;
}

/** A hidden input, whose `click` opens the file dialog of the system. */
export const FilePicker = ({ onPick, ...rest }: FilePickerProps) => (
  <input
    {...rest}
    type="file"
    hidden
    onChange={({ target }) => {
      const files = [...(target.files ?? [])];
      // Otherwise a file that was saved again could not be chosen again.
      target.value = '';
      if (files.length > 0) onPick(files);
    }}
  />
);
