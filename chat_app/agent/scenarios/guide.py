"""A long answer in markdown: headings, lists, a table, code, a quotation and a link, about 600 words."""

from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import Turn

TEXT = '''\
# Packing a bicycle for a flight

A bicycle travels well when three things are true: nothing sticks out, nothing can rub, and nothing \
inside the box can move. The rest is patience. Set aside **ninety minutes** for the first time; with a \
little practice it takes half an hour.

## Before you start

Ask the airline two questions, in writing: how heavy may the box be, and how large. Some count every \
kilogram over the limit, others charge a flat fee for any bicycle. Keep the answer on your phone. At the \
desk, the person with the printed rule is usually the one who boards on time.

You will need:

- a box or a case, about 140 by 80 by 25 cm
- foam tubes for the frame, and a roll of wide tape
- a 5 mm and a 6 mm hex key, and a pedal wrench
- spacers for the fork and for the rear dropouts
- two cloths you do not mind losing

## Taking it apart

1. **Shift to the smallest sprocket.** The chain goes slack and the derailleur tucks itself in.
2. **Take off the pedals.** The left one turns the other way. A drop of grease now saves a struggle later.
3. **Remove both wheels**, then put spacers where the axles were, so that the frame cannot be squeezed.
4. **Unscrew the derailleur** from its hanger, wrap it in a cloth and tie it inside the rear triangle. \
This small step prevents the most common damage of all.
5. **Turn the handlebar.** Loosen the stem, rotate the bar, and let it rest along the top tube.
6. **Lower the saddle** or take it out with its post. Mark the height with tape first; your knees will \
thank you.

> Let half of the air out of the tyres, not all of it. A soft tyre protects the rim; a flat one does not.

## Packing the box

Wrap each tube of the frame, then stand it in the box with the fork facing backwards. Slide a wheel in \
on each side, with cardboard between the cassette and anything painted. Fill what is left with soft \
things: a jacket, a sleeping bag, the second cloth. Close the box and shake it. If you hear something, \
open it again.

| Part | Where it goes | What it must not touch |
| --- | --- | --- |
| Front wheel | left side, axle out | the frame's paint |
| Rear wheel | right side, cassette out | the derailleur |
| Pedals | small bag, taped inside | anything at all |
| Tools | hand luggage, if allowed | the scanner's patience |
| Pump | along the down tube | the spokes |

## What will it cost?

Many carriers charge by *volumetric* weight: the space a box fills, written as if it were kilograms. A \
few lines tell you before the desk does:

```python
def volumetric_weight(length: int, width: int, height: int, divisor: int = 5000) -> float:
    """Give the kilograms a carrier charges for, from centimetres."""
    return length * width * height / divisor


box = volumetric_weight(140, 80, 25)
print(f"charged as {max(box, 23):.1f} kg")
```

For the box above that is 56 kg on a carrier that counts this way, and 23 kg on one that does not. It \
pays to ask. The idea behind the number is explained under [dimensional \
weight](https://en.wikipedia.org/wiki/Dimensional_weight).

## At the other end

Open the box **before** you leave the hall. A claim made at the desk is settled in days; one made a week \
later is a hobby. Then build the bicycle up in the reverse order, and before the first ride check:

- the stem and handlebar bolts, by feel and then by torque
- both axles, and that the brakes bite on the right rim or rotor
- the derailleur hanger, by eye, from behind

Ride once around the car park. If it shifts cleanly and stops when asked, fold the cardboard flat and \
leave it with the hotel. You will want it again sooner than you think.
'''


async def play(turn: Turn) -> None:
    """Stream the guide."""
    await turn.say(TEXT)


SCENARIO = Scenario(
    id="guide",
    title="A long answer",
    phrase="Write a guide to packing a bicycle for a flight",
    cue=cue(r"\bguide\b|\blong answer\b"),
    play=play,
    shows="A long message in Markdown",
)
