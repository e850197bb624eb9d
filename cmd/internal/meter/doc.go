// Package meter sees to it that a clone pays for a text once, and no more a day than its person
// allows: only one program at a time draws facts, and what it spends is written down.
//
//	m := meter.Meter{Dir: stateDir, Daily: 200_000, Now: time.Now}
//	release, err := m.Hold()
//	if err == nil {
//		defer release()
//		err = m.Spend(1200) // an error when the day's tokens are spent
//	}
package meter
