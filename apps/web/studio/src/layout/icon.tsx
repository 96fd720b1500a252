// Signs on buttons, drawn here: fonts do not have all of them.

const PATHS = {
  start: "M1 2h2v10H1zM13 2v10L5 7z",
  back: "M11 2v10L3 7z",
  on: "M3 2v10l8-5z",
  end: "M11 2h2v10h-2zM1 2v10l8-5z",
  pause: "M2 2h4v10H2zM8 2h4v10H8z",
};

export type Sign = keyof typeof PATHS;

export function Icon({ sign }: { sign: Sign }) {
  return (
    <svg class="icon" viewBox="0 0 14 14" aria-hidden="true">
      <path d={PATHS[sign]} />
    </svg>
  );
}
