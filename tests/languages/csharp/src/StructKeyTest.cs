using System.Linq;
using Cuprum;
using NUnit.Framework;

/// <summary>Radix sorts of structs, by their fields in their order.</summary>
[TestFixture]
public class StructKeyTest {
    private struct Person {
        public sbyte Age;
        public float Weight;
    }

    private struct Rotation {
        public Complex64 Direction;
    }

    [Test]
    public void LaterFieldsDecideWhereEarlierOnesAreEqual() {
        foreach (Execution execution in new[] { Execution.On(new Device(0)), Execution.Host }) {
            var people = new[] {
                new Person { Age = 3, Weight = 1.5f }, new Person { Age = -1, Weight = 2.5f },
                new Person { Age = 3, Weight = -0.5f }, new Person { Age = 0, Weight = 9 },
            };
            Parallel.Sort(people, SortOrder.Ascending, execution);
            Assert.AreEqual(new[] { -1, 0, 3, 3 }, people.Select(person => (int)person.Age).ToArray());
            Assert.AreEqual(new[] { 2.5f, 9f, -0.5f, 1.5f }, people.Select(person => person.Weight).ToArray());
        }
        Assert.Throws<InvalidArgumentException>(() => Parallel.Sort(new Rotation[2]));
    }
}
