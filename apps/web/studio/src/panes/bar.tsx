// A share of something, as a bar.

export function Bar({ share, label }: { share: number; label: string }) {
  return (
    <svg viewBox="0 0 100 8" width="160" height="12" role="img" aria-label={label} preserveAspectRatio="none">
      <rect width="100" height="8" class="whole" />
      <rect width={Math.min(100, share * 100)} height="8" class="used" />
    </svg>
  );
}
